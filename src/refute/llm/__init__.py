"""Models and the typed questions put to them. Knows nothing of what a role decides."""

from refute.llm._cache import CachedBackend, ReplayBackend, question_of
from refute.llm._metered import MeteredBackend
from refute.llm._model import Backend, Model, ModelCalled, OutputMode, Reply, Request, Usage
from refute.llm._open import address_from_environment, open_backend
from refute.llm._prices import price_table
from refute.llm._provider import PROVIDERS, Provider
from refute.llm._provider_model import ProviderModel
from refute.llm._readiness import models_readiness
from refute.llm._role import Picture, Role
from refute.llm._role_model import RoleModel

__all__ = [
    "PROVIDERS",
    "Backend",
    "CachedBackend",
    "MeteredBackend",
    "Model",
    "ModelCalled",
    "OutputMode",
    "Picture",
    "Provider",
    "ProviderModel",
    "ReplayBackend",
    "Reply",
    "Request",
    "Role",
    "RoleModel",
    "Usage",
    "address_from_environment",
    "models_readiness",
    "open_backend",
    "price_table",
    "question_of",
]
