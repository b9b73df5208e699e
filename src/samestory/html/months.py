"""Month names as written in dates on pages."""

from __future__ import annotations

from samestory.html.words import fold

# names with genitives and usual abbreviations
_NAMES = {
    "en": (
        "january/jan february/feb march/mar april/apr may june/jun july/jul august/aug "
        "september/sep/sept october/oct november/nov december/dec"
    ),
    "tr": (
        "ocak/oca şubat/şub mart nisan/nis mayıs haziran/haz temmuz/tem ağustos/ağu eylül/eyl ekim/eki "
        "kasım/kas aralık/ara"
    ),
    "ru": (
        "января/янв/январь февраля/фев/февр/февраль марта/март апреля/апр/апрель мая/май июня/июн/июнь "
        "июля/июл/июль августа/авг/август сентября/сен/сент/сентябрь октября/окт/октябрь "
        "ноября/ноя/нояб/ноябрь декабря/дек/декабрь"
    ),
    "de": (
        "januar/jän/jänner/jan februar/feber/feb märz/maerz/mär/mrz april mai juni juli august/aug "
        "september oktober/okt november dezember/dez"
    ),
    "fr": (
        "janvier/janv février/févr/fév mars avril/avr mai juin juillet/juil août/aout septembre octobre "
        "novembre décembre/déc"
    ),
    "es": (
        "enero/ene febrero marzo abril/abr mayo junio julio agosto/ago septiembre/setiembre octubre "
        "noviembre diciembre/dic"
    ),
    "it": (
        "gennaio/gen febbraio marzo aprile maggio/mag giugno/giu luglio/lug agosto settembre/set "
        "ottobre/ott novembre dicembre"
    ),
    "pt": ("janeiro fevereiro/fev março abril maio/mai junho julho agosto setembro outubro/out novembro dezembro/dez"),
    "nl": ("januari februari maart/mrt april mei juni juli augustus september oktober november december"),
    "pl": (
        "stycznia/sty lutego/lut marca kwietnia/kwi maja/maj czerwca/cze lipca/lip sierpnia/sie "
        "września/wrz października/paź listopada/lis grudnia/gru"
    ),
    "uk": ("січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня"),
    "az": ("yanvar fevral mart aprel may iyun iyul avqust sentyabr oktyabr noyabr dekabr"),
    "sv": ("januari februari mars april maj juni juli augusti september oktober/okt november december"),
    "cs": ("ledna února března dubna května června července srpna září října listopadu prosince"),
}

#: Month numbers by folded name. No name is ambiguous.
MONTHS = {
    fold(name): number
    for names in _NAMES.values()
    for number, alike in enumerate(names.split(), 1)
    for name in alike.split("/")
}
