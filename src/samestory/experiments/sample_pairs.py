"""Two pairs of articles in Turkish, of which one method alone finds each, and an article that is like none of them.

The study prints two pairs of this kind; these were written for samestory.
"""

from __future__ import annotations

from samestory.model import Article

_NEW_SENTENCE = "Kış boyunca süren müzik günleri, dün akşam yapılan görkemli bir törenle ve uzun alkışlarla kapandı. "
_CONCERT = (
    "Biletler birkaç gün önce tükenmiş olmasına rağmen salonun önünde uzun kuyruklar oluştu. Konserin yıldızı Sayın "
    "Zeynep Öztürk, Mersin Üniversitesi'nde okuduğu yılları anlattı ve gençlere çok çalışmalarını öğütledi. Öztürk, "
    "salonu dolduran dinleyicilere üç yeni bestesini de ilk kez çaldı. Gecenin sonunda Belediye Başkanı Mehmet Kaya "
    "sanatçıya çiçek verdi ve gelecek yıl yeniden buluşma sözü aldı. Gece, halk türkülerinden oluşan bir demetle sona "
    "erdi."
)

#: Has the words of the new sentence, which I-Match would pass over as too rare if no other article had them.
_ALONE = (
    "Kış boyunca kapalı kalan müze, dün akşam sade bir törenle yeniden açıldı. Uzun süren onarımdan sonra yapılan ilk "
    "geziye katılanlar görkemli avluyu alkışlarla karşıladı; müzik günleri de bu avluda sürecek."
)


def _election(hour: str, first: str, second: str) -> str:
    """A report from the night of an election: the figures of the hour stand right behind the parties."""
    return (
        "Yerel seçimde sandıklar kapandı ve oyların sayımına hemen başlandı. Ankara Valiliği sandık başında bir olay "
        "yaşanmadığını duyurdu. İzmir Valiliği de kentte oy vermenin sakin geçtiğini bildirdi. Yüksek Seçim Kurulu "
        "katılımın bir önceki seçime göre arttığını açıkladı. Sonuçlar açıklandıkça parti binalarının önünde "
        "kalabalıklar toplandı; kesin olmayan ilk sonuçlara göre "
        f"Çınar Partisi yüzde {first}, Irmak Partisi yüzde {second} oy aldı, bu rakamlar saat {hour} itibarıyla."
    )


#: What was published about a pair: its two articles.
PAIRS = {
    "a first sentence more, without entities": (
        Article("concert", _CONCERT, lang="tr"),
        Article("concert, longer", _NEW_SENTENCE + _CONCERT, lang="tr"),
    ),
    "other numbers right after entities": (
        Article("election at nine", _election("21.00", "41,7", "32,4"), lang="tr"),
        Article("election at ten", _election("22.00", "42,3", "31,9"), lang="tr"),
    ),
}
ALONE = Article("museum", _ALONE, lang="tr")


def articles() -> list[Article]:
    """All of them."""
    return [*(article for pair in PAIRS.values() for article in pair), ALONE]
