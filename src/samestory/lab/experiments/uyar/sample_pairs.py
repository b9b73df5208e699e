"""Two pairs of articles in Turkish, each found by one method only, and an unrelated article.

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

#: Contains the words of the new sentence, which I-Match would ignore as too rare if no other article had them.
_MUSEUM = (
    "Kış boyunca kapalı kalan müze, dün akşam sade bir törenle yeniden açıldı. Uzun süren onarımdan sonra yapılan ilk "
    "geziye katılanlar görkemli avluyu alkışlarla karşıladı; müzik günleri de bu avluda sürecek."
)


def _election(hour: str, first: str, second: str) -> str:
    """Return an election-night report in which the figures of the hour directly follow the parties."""
    return (
        "Yerel seçimde sandıklar kapandı ve oyların sayımına hemen başlandı. Ankara Valiliği sandık başında bir olay "
        "yaşanmadığını duyurdu. İzmir Valiliği de kentte oy vermenin sakin geçtiğini bildirdi. Yüksek Seçim Kurulu "
        "katılımın bir önceki seçime göre arttığını açıkladı. Sonuçlar açıklandıkça parti binalarının önünde "
        "kalabalıklar toplandı; kesin olmayan ilk sonuçlara göre "
        f"Çınar Partisi yüzde {first}, Irmak Partisi yüzde {second} oy aldı, bu rakamlar saat {hour} itibarıyla."
    )


#: The two articles of each published claim.
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
UNRELATED = Article("museum", _MUSEUM, lang="tr")


def articles() -> list[Article]:
    """Return all articles."""
    return [*(article for pair in PAIRS.values() for article in pair), UNRELATED]
