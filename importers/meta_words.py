"""The words in Meta's exports: broken letters repaired, and sentences that the app wrote told from talk."""

import re

_FILLER = re.compile(
    r"sent (?:an attachment|a photo|a video|a sticker|a GIF|a link|a voice message|an audio message|a file"
    r"|\d+ photos)\.?"
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
    r"|created a plan|updated the plan|changed the .+ to )",
    re.DOTALL,
)
_CALL = re.compile(
    r"(?:started an? (?:call|video call|video chat|audio call)|called you"
    r"|missed (?:your|a) (?:call|video call|video chat|audio call)"
    r"|joined the (?:call|video call|video chat)|ended the (?:call|video call))"
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
