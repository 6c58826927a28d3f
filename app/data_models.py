"""What the engine says about models and the computer that runs them, as frozen data for the window."""

from dataclasses import dataclass

from app.data import Json, known


@dataclass(frozen=True, slots=True)
class ModeCheck:
    """How a mode did in the self-check: questions asked and answered rightly, seconds an answer."""

    asked: int = 0
    right: int = 0
    seconds: float = 0.0

    @classmethod
    def read(cls, data: Json) -> "ModeCheck":
        """From JSON."""
        return known(cls, data)


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """What the self-check found: speeds in tokens a second, and the mode that the model is good for."""

    advice: str = "unknown"  # quick, thorough, search, unknown
    reading: float = 0.0
    writing: float = 0.0
    quick: ModeCheck = ModeCheck()
    thorough: ModeCheck = ModeCheck()
    checked_at: str = ""

    @classmethod
    def read(cls, data: Json) -> "ModelCheck":
        """From JSON."""
        modes = {mode: ModeCheck.read(data.get(mode) or {}) for mode in ("quick", "thorough")}
        return known(cls, data, **modes)


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model of the catalogue or one that the person added."""

    id: str = ""
    name: str = ""
    size: int = 0
    licence: str = ""
    installed: bool = False
    path: str = ""
    fits: str = ""
    needed: int = 0
    free: int = 0
    default: bool = False
    languages: str = ""
    kind: str = ""
    check: ModelCheck | None = None

    @classmethod
    def read(cls, data: Json) -> "ModelInfo":
        """From JSON."""
        found = data.get("check")
        return known(cls, data, check=ModelCheck.read(found) if found else None)


@dataclass(frozen=True, slots=True)
class Machine:
    """What runs models here. `context` is how much the loaded model holds at once, in tokens; 0 where none is."""

    processor: str = ""
    cores: int = 0
    threads: int = 0
    features: tuple[str, ...] = ()
    module: str = ""
    safe: bool = False
    context: int = 0
    model_id: str = ""
    model_name: str = ""
    loaded: bool = False

    @classmethod
    def read(cls, data: Json) -> "Machine":
        """From JSON."""
        model = data.get("model") or {}
        return known(
            cls,
            data,
            features=tuple(data.get("features") or ()),
            model_id=model.get("id") or "",
            model_name=model.get("name") or "",
            loaded=bool(model.get("loaded")),
        )
