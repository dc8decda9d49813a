"""KernelBench module classes: construction, and weights that are inputs of the op."""
# SPDX-License-Identifier: Apache-2.0


class Model:
    """A KernelBench module class, constructed anew where the case's axes are module-level sizes
    that changed: `get_init_inputs` may read them."""

    def __init__(self, module, model_class, gpu):
        self.module, self.model_class, self.gpu = module, model_class, gpu
        self.sizes, self.made = None, None
        self.of({})   # one that cannot be constructed is refused when it is loaded

    def of(self, axes):
        sizes = {name: value for name, value in axes.items()
                 if type(getattr(self.module, name, None)) is int}
        if self.made is not None and sizes == self.sizes:
            return self.made
        for name, value in sizes.items():
            setattr(self.module, name, value)
        arguments = self.module.get_init_inputs() if hasattr(self.module, "get_init_inputs") else []
        model = self.model_class(*arguments)
        if hasattr(model, "eval"):
            model = model.eval()
        self.made = model.cuda() if self.gpu and hasattr(model, "cuda") else model
        if not callable(self.made):
            self.made = self.made.forward
        self.sizes = sizes
        return self.made


def load_weights(entry, views, arrays):
    """Inputs named like a module's parameters are its weights; dots of their names are _."""
    state = entry.state_dict() if hasattr(entry, "state_dict") else {}
    for key, weight in state.items():
        name = key.replace(".", "_")
        if name in views:
            arrays.copy(weight, views[name], name)
