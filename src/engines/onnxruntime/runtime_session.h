#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/tensors/tensor.h"
#include "engines/onnxruntime/runtime.h"
#include "engines/protocol/sampling.h"
#include "engines/protocol/server.h"

namespace opbench::ort {

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

/// How a model is loaded.
struct SessionSettings {
  Greeting machine;            ///< threads and CPUs
  std::string bytes;           ///< the model; empty: it is read from `path`
  std::string path;            ///< the model's file; beside it lie its external data
  std::string profile_prefix;  ///< of the file that a profile goes to; empty: none is made
  bool is_basic = false;       ///< without the optimisations that change layouts or join more nodes
};

/// A loaded model with its inputs bound. What fails is thrown as RequestFailure.
class Session {
 public:
  /// `runtime` must outlive it. `unsupported` for models with inputs or outputs that are no
  /// tensors.
  Session(const Runtime& runtime, const SessionSettings& settings);

  /// Those that are not initialisers.
  const std::vector<std::string>& input_names() const { return inputs_.names; }

  /// The tensors for all later calls, by the names of the inputs; others are dropped. `run_error`
  /// naming the inputs for which there is none.
  void bind(std::map<std::string, Tensor> tensors);

  /// The outputs of one call, some of the inputs replaced for it.
  NamedTensors run(std::map<std::string, Tensor> replaced);

  /// A function that makes one call with nothing around it. Outputs are written to memory of ours,
  /// for which one call tells the shapes; only those whose extents change from call to call, and
  /// texts, are allocated by the library. The function is valid until the next `bind` and no
  /// longer than this object.
  std::function<void()> prepare_call();

  /// One call as `prepare_call` makes it, some of the inputs replaced by tensors in memory of their
  /// own; the memory of the outputs is overwritten with ones in every bit.
  AuditedCall audited_call(std::map<std::string, Tensor> replaced);

  /// Reads all that a call reads or writes and that is not a weight.
  void touch_activations() const;

  /// Ends the profile and returns its file.
  std::string end_profiling();

 private:
  /// The model's inputs or outputs, as `Run` takes them.
  struct Slots {
    std::vector<std::string> names;
    std::vector<const char*> name_pointers;
    std::vector<Tensor> memory;  ///< one each, where it is ours
    std::vector<Owned<Value>> values;
    std::vector<Value*> pointers;
    void set(size_t i, Owned<Value> value);
  };

  /// The inputs replaced by these, until `pointers` are put back.
  struct Replaced {
    std::map<std::string, Tensor> tensors;
    std::vector<Owned<Value>> values;
    std::vector<Value*> prepared;  ///< the pointers before
  };
  std::shared_ptr<Replaced> replace(std::map<std::string, Tensor> tensors);
  NamedTensors outputs() const;

  void read_names();
  void call();
  void call_afresh();
  void place_outputs();

  const Runtime& runtime_;
  Owned<LoadedSession> session_;
  Slots inputs_;
  Slots outputs_;
  bool has_places_ = false;     ///< the outputs' memory is there
  bool makes_outputs_ = false;  ///< their extents change: the library allocates them
};

}  // namespace opbench::ort
