"""The words in Meta's exports: broken letters repaired, and sentences that the app wrote told from talk."""

import re

_FILLER = re.compile(
    r"sent (?:an attachment|a photo|a video|a sticker|a GIF|a link|a voice message|an audio message|a file"
    r"|\d+ photos)\.?"
    r"|(?:hat einen Anhang gesendet|hat (?:ein Foto|ein Video|einen Sticker|ein GIF) gesendet"
    r"|a envoyé une (?:pièce jointe|photo|vidéo)|(?:ha enviado|envió) un (?:archivo adjunto|video)"
    r"|enviou um (?:anexo|vídeo)|ha inviato un (?:allegato|video)|heeft een bijlage (?:verzonden|gestuurd))\.?"
)
_REACTION = re.compile(
    r"(?:Liked a message|Reacted .{1,40} to your message"
    r"|Hat eine Nachricht mit .Gefällt mir. markiert|Hat mit .{1,40} auf deine Nachricht reagiert"
    r"|Le gustó un mensaje|Indicó que le gusta un mensaje|Reaccionó con .{1,40} a tu mensaje"
    r"|A aimé un message|A réagi .{1,40} à votre message"
    r"|Curtiu uma mensagem|Reagiu com .{1,40} à sua mensagem"
    r"|Ha messo Mi piace a un messaggio|Ha reagito con .{1,40} al tuo messaggio)\.?\s*",
    re.DOTALL,
)
"""Instagram lists each reaction as a message too, in the language of the account."""
_NOTICE = re.compile(
    r"(?:named the group|created (?:the|this) (?:group|chat)|added .+ to the (?:group|chat)"
    r"|left the (?:group|chat)\.?$|removed .+ from the (?:group|chat)"
    r"|changed the (?:group photo|group name|chat theme|theme|group theme)"
    r"|set (?:the|his|her|their|your|own) (?:nickname|emoji|quick reaction)|set .+ nickname"
    r"|set the .+ (?:to|as) |cleared .+ nickname|pinned a message|unpinned a message"
    r"|created a poll|voted for|changed (?:his|her|their) vote|made .+ an? (?:group )?admin"
    r"|turned (?:on|off) (?:disappearing|vanish|member|message|approval)"
    r"|joined (?:the group|using)|waved at|started sharing|stopped sharing"
    r"|created a plan|updated the plan|changed the .+ to "
    r"|hat die Gruppe .+ genannt|hat die Gruppe verlassen"
    r"|hat .+ (?:zur Gruppe hinzugefügt|aus der Gruppe entfernt)"
    r"|hat das (?:Gruppenfoto|Chat-Design|Design|Thema) .*geändert|hat den Spitznamen "
    r"|a nommé le groupe|a ajouté .+ au groupe|a quitté le groupe|a modifié (?:la photo|le thème|le pseudo)"
    r"|(?:ha )?(?:nombró|nombrado) al? grupo|(?:agregó|añadió|ha añadido) a .+ al grupo"
    r"|(?:abandonó|salió del|ha abandonado el) (?:el )?grupo|(?:cambió|ha cambiado) (?:el tema|la foto del grupo)"
    r"|nomeou o grupo|adicionou .+ ao grupo|saiu do grupo|(?:mudou|alterou) (?:o tema|a foto do grupo)"
    r"|ha dato al gruppo il nome|ha rinominato il gruppo|ha aggiunto .+ al gruppo"
    r"|ha (?:abbandonato|lasciato) il gruppo|ha (?:cambiato|modificato) (?:il tema|la foto del gruppo)"
    r"|heeft de groep .+ genoemd|heeft .+ toegevoegd aan de groep|heeft de groep verlaten)",
    re.DOTALL,
)
_CALL = re.compile(
    r"(?:started an? (?:call|video call|video chat|audio call)|called you"
    r"|missed (?:your|a) (?:call|video call|video chat|audio call)"
    r"|joined the (?:call|video call|video chat)|ended the (?:call|video call)"
    r"|hat (?:dich angerufen|einen (?:Anruf|Videoanruf|Videochat) (?:verpasst|gestartet))"
    r"|a (?:manqué|démarré|passé) un (?:appel|appel vidéo)"
    r"|(?:perdió|inició|ha perdido|ha iniciado) una (?:video)?llamada"
    r"|(?:perdeu|iniciou) uma (?:ligação|chamada)|ha (?:perso|avviato) una (?:video)?chiamata"
    r"|heeft een (?:oproep|videochat) (?:gemist|gestart))"
)

_ENDED = re.compile(r"(?:The )?(?:Audio|Video|Voice) (?:call|chat) (?:has )?ended\.?", re.IGNORECASE)


def repaired(text: str) -> str:
    """UTF-8 that was written as if it were Latin-1, put right; anything else stays as it is."""
    if text.isascii() or max(text) > "\u00ff":
        return text
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return text


def said_by_app(content: str, sender: str) -> str:
    """What kind of app sentence it is: "filler", "notice", "call", "reaction", or "" for someone's own words."""
    if _REACTION.fullmatch(content):
        return "reaction"
    rest = next((content[len(w) + 1 :] for w in (sender, "You") if w and content.startswith(f"{w} ")), None)
    if rest is None:
        return "call" if _ENDED.fullmatch(content) else ""
    kinds = ((_FILLER.fullmatch, "filler"), (_CALL.match, "call"), (_NOTICE.match, "notice"))
    return next((kind for test, kind in kinds if test(rest)), "")


def is_filler(content: str, sender: str) -> bool:
    """Whether a sentence beside a shared link only says that there is one, in whatever language."""
    named = content.startswith((f"{sender} ", "You "))
    return not content or (named and "\n" not in content and len(content) < len(sender) + 45)
