"""Models and the typed questions put to them. Knows nothing of what a role decides."""

from refute.llm._model import Backend, Model, ModelCalled, OutputMode, Reply, Request, Usage
from refute.llm._open import open_backend
from refute.llm._openai_chat import OpenAIChat
from refute.llm._role import Role
from refute.llm._role_model import RoleModel

__all__ = [
    "Backend",
    "Model",
    "ModelCalled",
    "OpenAIChat",
    "OutputMode",
    "Reply",
    "Request",
    "Role",
    "RoleModel",
    "Usage",
    "open_backend",
]
