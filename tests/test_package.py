"""What a user relies on from `import refute` alone."""

import subprocess
import sys


def test_importing_refute_loads_no_heavy_library() -> None:
    script = "import sys, refute; print([m for m in ('playwright', 'pydantic_ai', 'onnxruntime') if m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert loaded.stdout.strip() == "[]"


def test_importing_evidence_loads_no_model_and_no_library_for_one() -> None:
    script = (
        "import sys, refute.evidence; "
        "print([m for m in ('onnxruntime', 'tokenizers', 'huggingface_hub', 'PIL') if m in sys.modules])"
    )
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert loaded.stdout.strip() == "[]"
