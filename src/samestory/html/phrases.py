"""Phrases of pages without an article, in the most common languages.

All patterns match folded text: without case, accents and the Turkish dot distinction.
"""

from __future__ import annotations

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


#: Titles of error pages.
ERROR_TITLE = _any(
    # status codes, alone or next to a word
    r"^(?:http )?(?:error|hata|ошибка|fehler|erreur)?\W{0,3}(?:40[0134]|410|429|50[0234])(?:\W|$)",
    r"(?:^|\W)40[34]\W{1,3}(?:error|not found|forbidden|sayfa|hata|страниц|ошибка|seite|page)",
    r"^(?:error|hata|ошибка|fehler|oops!?|ooops!?)$",
    # English
    r"(?:page|site|file|article|content|url|document)\b[^.]{0,20}\bnot (?:be )?found",
    r"^(?:\W|sorry|error)*not found\W*$",
    r"^access (?:to this page )?(?:has been )?denied",
    r"^(?:403 )?forbidden\W*$",
    r"page (?:does not|doesn.t|no longer) exist",
    r"^bad gateway",
    r"^service (?:temporarily )?unavailable",
    r"^internal server error",
    # Turkish
    r"(?:sayfa|haber|icerik)(?:yi|ya|ye)? (?:bulunamadi|ulasilamiyor|mevcut degil|kaldirilmis)",
    r"erisim (?:engel|redded)",
    r"aradiginiz (?:sayfa|haber|icerik)",
    # Russian
    r"(?:страница|новость|материал|публикация|запрашиваем\w+ страниц\w+) не (?:наиден|существ)",
    r"доступ (?:к [^.]{0,30})?(?:запрещен|ограничен|закрыт)",
    r"ошибка сервера",
    # others
    r"seite (?:wurde )?nicht gefunden",
    r"page (?:introuvable|non trouvee)",
    r"pagina (?:no encontrada|non trovata|nao encontrada)",
    r"nie znaleziono",
    r"сторинку не знаидено",
)

#: Bot challenges.
CHALLENGE = _any(
    # English
    r"^just a moment\b",
    r"^attention required",
    r"checking your browser",
    r"are you (?:a )?(?:human|robot)",
    r"(?:verify|prove|confirm)(?:ing)? (?:that )?you are (?:a )?(?:human|not a robot)",
    r"not a robot",
    r"pardon our interruption",
    r"unusual traffic",
    r"complete the captcha|solve th\w+ captcha",
    r"(?:enable|turn on|activate|allow|requires?|requiring) (?:javascript|cookies)",
    r"javascript (?:is|must be) (?:disabled|enabled|required|off)",
    # Turkish
    r"javascript.{0,3} etkinlestir",
    r"cerezleri (?:etkinlestir|acin)",
    r"robot olmadiginiz",
    r"tarayiciniz(?:i|da) (?:kontrol|javascript)",
    r"guvenlik (?:kontrolu|dogrulama)",
    # Russian
    r"включите (?:поддержку )?javascript",
    r"(?:javascript|яваскрипт)[^.]{0,30} отключен",
    r"не робот",
    r"проверк\w+ (?:вашего )?браузера",
    # others
    r"javascript (?:aktivieren|deaktiviert)|aktivieren sie (?:bitte )?javascript|kein roboter",
    r"activer javascript|pas un robot",
)

#: Paywall notices.
WALL = _any(
    # English
    r"(?:subscribe|register|sign[ -]?up|log ?in|sign ?in|join)(?: now| today| here)?(?: or (?:log|sign) ?in)?,?"
    r" (?:to|and) (?:continue|keep|read|unlock|access|view|finish)",
    r"to (?:continue|keep) reading",
    r"to read the (?:full|rest|whole|entire)",
    r"(?:for|available to|reserved for|exclusive to) (?:our )?(?:\w+ )?subscribers(?: only)?\b",
    r"subscribers?[ -](?:only|exclusive)",
    r"free articles? (?:left|remaining|this month)",
    # Turkish
    r"devamini (?:okumak|gormek) icin",
    r"(?:tamamini|haberin tamami\w*|yazinin tamami\w*)[^.]{0,40}(?:abone|uye)",
    r"abone(?:lerimize|lere|ler icin) ozel",
    r"sadece aboneler",
    r"abone ol(?:un|arak)?[^.]{0,30}(?:oku|devam)",
    r"okumaya devam et\w* icin",
    # Russian
    r"(?:доступ\w*|читать|чтение|полн\w+ (?:текст|верси\w))[^.]{0,50}(?:по подписке|подписчик|с подпискои)",
    r"только (?:для|по) подпис\w+",
    r"чтобы [^.]{0,20}(?:прочитать|читать|дочитать)[^.]{0,40}(?:подпи|воидите|оформите)",
    r"оформите подписку",
    # others
    r"(?:nur|exklusiv|lesen) fur (?:\w+ )?abonnent|weiterlesen mit|(?:abonnieren|testen) und weiterlesen",
    r"reserve(?:e)?s? (?:a|aux) (?:nos )?abonne",
    r"(?:solo|exclusivo) para suscriptores|suscri\w+ para (?:seguir|leer|continuar)",
    r"(?:solo|riservato) (?:per )?(?:gli |agli )?abbonati",
    r"exclusivo para assinantes",
)

#: Sign-in prompts for subscribers, which also appear on free pages.
SUBSCRIBER_SIGN_IN = _any(
    r"already a (?:subscriber|member)|already have an account",
    r"aboneyseniz|zaten abone",
    r"уже (?:есть подписка|подписаны)",
    r"(?:bereits|schon|sind sie) abonnent",
    r"deja abonne",
    r"ya (?:eres|es) suscriptor",
    r"gia abbonato",
)

#: The end of a truncated text.
TRUNCATED = re.compile(r"(?:\.\.\.|…|\[…\]|\[\.\.\.\])\W*$")
