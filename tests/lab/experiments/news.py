"""A small collection of invented news in three languages: every story as written, copied, edited and cut."""

from __future__ import annotations

from typing import Any

#: Language: stories of six sentences each.
STORIES: dict[str, list[list[str]]] = {
    "en": [
        [
            "The ferry between Oldmere and the island of Sarn will stop for nine days while its engine is replaced.",
            "The company said on Tuesday that 1,400 passengers a day must travel by the longer northern route.",
            "A smaller boat will carry patients and post at seven in the morning and again at six in the evening.",
            "Shopkeepers on the island have ordered bread and milk ahead because lorries cannot board the small boat.",
            "The old engine had run for 31 years and failed twice during the storms of last winter.",
            "Season tickets stay valid for nine more days, and nobody needs to apply for that in writing.",
        ],
        [
            "A botanist in Fenmoor has found a pale orchid that was thought to have vanished from the valley in 1968.",
            "Eleven plants stand in a wet meadow beside the railway, which the county now wants to protect.",
            "She noticed them by chance when her train waited at a signal for almost a quarter of an hour.",
            "The exact place is kept secret because collectors dug up the last known plants half a century ago.",
            "The railway has promised not to mow the bank before the seeds have ripened in late August.",
            "Visitors will be able to see a drawing and pressed leaves in the small museum of the town hall.",
        ],
        [
            "The chess club of Brackwater won the northern league for the first time since it was founded in a bakery.",
            "Its youngest player, a girl of thirteen, turned a lost endgame around in the deciding match on Sunday.",
            "Her opponent had two pawns more but only forty seconds left when he overlooked a check by the knight.",
            "The club has 26 members and meets on Thursdays in a room above the fire station.",
            "Promotion means journeys of up to 300 kilometres, for which the club is looking for drivers.",
            "The first match in the higher league will be played at home on the second weekend of October.",
        ],
    ],
    "tr": [
        [
            "Kuzeykent belediyesi eski un değirmenini onarıp halk kütüphanesine dönüştürmeye karar verdi.",
            "Meclis toplantısında alınan karara göre yapım işi 14 ay sürecek ve üç katlı bina tamamen yenilenecek.",
            "Değirmenin taş duvarları ile büyük ahşap çarkı olduğu gibi korunacak, çatısı ise cam olacak.",
            "Mahalle sakinleri yıllardır boş duran yapının yıkılmasından korkuyor ve imza topluyordu.",
            "Kütüphanede 45 bin kitap ile çocuklar için ayrı bir okuma salonu bulunacağı açıklandı.",
            "Açılış günü için bir sonraki yılın bahar ayları düşünülüyor, kesin tarih sonra duyurulacak.",
        ],
        [
            "Akdere köyünde arıcılar bu yıl bal veriminin kuraklık yüzünden üçte bire düştüğünü söyledi.",
            "Kovan başına ancak dört kilo bal alınabildi, oysa geçen yaz bu miktar on iki kiloyu buluyordu.",
            "Birlik başkanı çiçeklerin iki hafta erken solduğunu ve arıların şurupla beslendiğini anlattı.",
            "Üreticiler ilçe merkezinde toplanarak zararın karşılanması için dilekçe vermeye hazırlanıyor.",
            "Uzmanlar kovanların daha yüksek yaylalara taşınmasını ve yeni su kaynakları açılmasını öneriyor.",
            "Balın kilosu pazarda şimdiden yüzde kırk pahalandı, satıcılar kışın daha da artacağını düşünüyor.",
        ],
        [
            "Gölyazı ilçesinde düzenlenen kürek yarışlarını ev sahibi takım son metrelerde kazandı.",
            "Sekiz teknenin katıldığı final rüzgâr nedeniyle iki saat geç başladı ve kıyıdan binlerce kişi izledi.",
            "Takımın dümencisi yarıştan sonra kupayı emekli olan antrenörlerine armağan ettiklerini belirtti.",
            "İkinci gelen ekip bitiş çizgisindeki ölçüme itiraz etti, hakemler fotoğrafa bakıp sonucu onayladı.",
            "Gençler yarışında 16 yaşındaki iki kardeş kendi rekorlarını dört saniye geliştirdi.",
            "Gelecek yılki yarışların gölün güney kıyısında, yeni yapılan tribünlerin önünde olması bekleniyor.",
        ],
    ],
    "ru": [
        [
            "В посёлке Заречном после долгого ремонта снова открыли деревянный мост через реку Тихую.",
            "Рабочие заменили 320 брёвен и укрепили опоры, которые весной повредил ледоход.",
            "До этого жителям приходилось объезжать через соседний район, и дорога занимала больше часа.",
            "Первым по мосту проехал школьный автобус, за ним прошли почти все жители посёлка.",
            "Глава района обещал, что освещение и перила на подходах поставят до конца сентября.",
            "Грузовикам тяжелее пяти тонн проезд по мосту по-прежнему запрещён.",
        ],
        [
            "Учёные из Верхнеозёрска записали голоса сов, которых в этих лесах не слышали двадцать лет.",
            "Микрофоны висели на соснах с марта по июнь, и почти всё записала одна установка у болота.",
            "По голосам удалось различить не меньше девяти птиц, среди них три пары с птенцами.",
            "Исследователи считают, что птицы вернулись после запрета на вырубку старых елей.",
            "Осенью в лесу повесят сорок гнездовых ящиков, сделанных школьниками на уроках труда.",
            "Записи голосов можно послушать в городском музее природы по выходным дням.",
        ],
        [
            "Пекарня на улице Садовой отметила столетие и раздала прохожим восемьсот ржаных караваев.",
            "Печь, в которой их пекли, сложил ещё дед нынешней хозяйки из кирпичей старой мельницы.",
            "В голодные годы хлеб здесь выдавали по спискам, и эти тетради сохранились до сих пор.",
            "Хозяйка рассказала, что рецепт закваски не меняли, а муку возят с той же мельницы.",
            "Теперь она учит ремеслу двух племянников, которые собираются открыть вторую лавку.",
            "Праздник закончился поздно вечером, когда на дворе погас последний фонарь.",
        ],
    ],
}
#: The third sentence of an edited version.
EDITS = {
    "en": "Nobody was surprised by that, a neighbour told our reporter while she was hanging up her washing.",
    "tr": "Muhabirimize konuşan bir komşu, bunun kimseyi şaşırtmadığını çamaşır asarken söyledi.",
    "ru": "Соседка, развешивая бельё, сказала нашему корреспонденту, что никого это не удивило.",
}


def docs() -> list[dict[str, Any]]:
    """Nine stories in four versions, and one article alone in each language."""
    out: list[dict[str, Any]] = []
    for lang, stories in STORIES.items():
        for number, sentences in enumerate(stories):
            edited = [*sentences[:2], EDITS[lang], *sentences[3:]]
            versions = {
                "whole": " ".join(sentences),
                "copy": "  ".join(sentences).replace(".", " !"),
                "edited": " ".join(edited),
                "part": " ".join(sentences[:3]),
            }
            out += [
                {"id": f"{lang}{number}-{name}", "text": text, "lang": lang, "source": f"Paper {name}"}
                for name, text in versions.items()
            ]
        alone = " ".join(word for story in stories for word in story[0].split()[::-1])
        out.append({"id": f"{lang}-alone", "text": alone, "lang": lang, "source": "Paper alone"})
    return out


def groups(relation: str) -> list[dict[str, Any]]:
    """Gold: all versions of a story are one group, each language a test set and a day."""
    return [
        {
            "relation": relation,
            "id": article["id"],
            "cluster": article["id"].rpartition("-")[0] + ("alone" if "alone" in article["id"] else ""),
            "category": f"news in {article['lang']}",
            "day": {"en": "2026-03-01", "tr": "2026-03-02", "ru": "2026-03-03"}[article["lang"]],
        }
        for article in docs()
    ]


def containments() -> list[dict[str, Any]]:
    """Return gold in which a part is contained in its own story, not in the next; two assessors disagree once."""
    out: list[dict[str, Any]] = []
    for lang, stories in STORIES.items():
        for number in range(len(stories)):
            part, other = f"{lang}{number}-part", f"{lang}{(number + 1) % len(stories)}-whole"
            doubt = int((lang, number) != ("ru", 2))
            common = {"relation": "contains", "a": part, "pool": ["ffp"], "group": number, "query": lang}
            out.append(
                {**common, "b": f"{lang}{number}-whole", "label": 1, "direction": "b>a"}
                | {"assessors": [["s1", 1], ["s2", doubt]], "arbiter": ["s3", 1]}
            )
            out.append({**common, "b": other, "label": 0, "assessors": [["s2", 0], ["s1", 0]]})
    return out
