import type { NamedDialect } from '../../../0-contracts/src/index.js'

/**
 * A way in which models write calls, as data (contract section 1, 'dialects'). A call begins with a sentinel, `opens`,
 * that no prose holds; several may stand in a wrapper.
 */
export interface Dialect {
  /** For options and results, e.g. `qwen3-coder`. */
  name: string
  /** For messages. */
  title: string
  /** Where it is written so: model card, chat template, parser. */
  source: string
  /** What may stand around its calls; the closer may be missing behind a whole call. */
  wrappers: readonly Wrapper[]
  /** How a call is written; of several the first whose head fits. */
  forms: readonly CallForm[]
  /** Fences that are calls. */
  fences?: readonly FenceForm[]
  /** An answer holds one call of it: of more none runs. */
  isSingle?: true
  /** What errors tell to write. */
  shape: string
  /** How a prompt asks for it. */
  writing?: CallWriting
  /** Read only where it is named: prose and code may hold what opens it. */
  named?: NamedDialect
  /** What its harness writes below a call: where the answer has it, the model made up all that follows. */
  resultMark?: string
  /** Names that call no tool: with these the model answers the user. */
  answers?: readonly string[]
}

/** How calls are written and tools told of, as the chat template of the model has it. */
export interface CallWriting {
  /** `%name`, `%index` from 0, and `%args`, the arguments as JSON, or `%fields`, each by `field`. */
  call: string
  /** `%key` and `%value`, a text as it is and all else as JSON. */
  field?: string
  tools: ToolListing
}

export interface ToolListing {
  open: string
  close: string
  /** `%tool`, the definition for function calling; or its parts `%name`, `%description`, `%schema`, `%parameters`. */
  each: string
  /**
   * For `%parameters`: `%key`, `%optional` (`?` or nothing), `%type` (`%ts` as
   * TypeScript has it) and `%description`.
   */
  parameter?: string
  between: string
}

export interface Wrapper {
  open: string
  close: string
}

export type CallForm = JsonForm | ElementsForm | TagForm | PythonForm

interface Form {
  /** What the call begins with; `''` for one that stands in a wrapper only. */
  opens: string
  /**
   * Sticky, from `opens` to where the arguments begin; groups `name` and `id`. It may go over few lines, and ends on
   * the line that decides.
   */
  head: RegExp
  /**
   * Sticky: what its first line must look like where that may be anything's, too. If `head` does not come to fit, none
   * of it was a call. `opens` may then be one character.
   */
  begins?: RegExp
  /** It runs a command, or any tool that it names: `auto` does not read it. */
  isCommand?: true
  /** Nothing else may stand on the line that ends it. */
  isAlone?: true
}

/** One JSON value: the arguments where the head names the tool, else calls. */
export interface JsonForm extends Form {
  kind: 'json'
  /** What ends the call behind the value, one of these; it may be missing. */
  closes: readonly string[]
  /** The value stands in a fence, which `head` opens. */
  isFenced?: true
  /** Of objects that name their tool: which key says what, in each of the ways that there are. */
  keys?: readonly CallKeys[]
  /** Another value follows behind it. */
  separator?: string
}

export interface CallKeys {
  name: string
  arguments: string
  id?: string
  /** The object in which name and arguments stand, and not beside it: OpenAI's `function`. */
  within?: string
}

/** Elements with raw text: each value is all up to its closer that is followed by the next element, or the end. */
export interface ElementsForm extends Form {
  kind: 'elements'
  /** Sticky: what each parameter begins with. */
  fieldOpens: RegExp
  /** Sticky, all of that; groups `key`, and `json`, which is set where the value is JSON. */
  field: RegExp
  /** `field` may go over two lines. */
  spansLines?: true
  /** Absent where it is the parameter's own name: `</KEY>`. */
  fieldClose?: string
  close: string
  /** One line break at each end of a value is not part of it. */
  isPadded: boolean
  /** Of this parameter the last line break is its own: the text of a file. */
  keepsEnd?: string
}

/** One tag with raw text up to its closer; attributes say the rest. The head's group `attributes` holds them. */
export interface TagForm extends Form {
  kind: 'tag'
  /** The verb it calls. */
  verb: string
  /** Which attribute is which of its parameters; `''` for those that say nothing to it. */
  attributes: Readonly<Record<string, string>>
  /** What it always says. */
  fixed?: Readonly<Record<string, string>>
  /** The parameter that the text is, without a line break right behind the tag; absent where it says nothing. */
  body?: string
  close: string
}

/** Calls as Python writes them: `[f(a="x"), g(b=1)]` or `f(a="x")`. */
export interface PythonForm extends Form {
  kind: 'python'
  closes: readonly string[]
}

/** A fence that is a call: its text is a parameter, or Python calls. */
export interface FenceForm {
  /** What its info string begins with; `''` for a fence without one. */
  languages: readonly string[]
  /** Absent where the text is Python calls. */
  calls?: { name: string; body: string; fixed?: Readonly<Record<string, string>> }
  /**
   * Its text is one command: of the shell, which is `calls`, or the harness's own, which runs as one of these verbs.
   */
  runsAs?: readonly string[]
  /** The parameter that the rest of the info string is; absent where there is none. */
  rest?: string
  /** What the text begins with; where it does not, the fence is another's. */
  begins?: RegExp
  /** May stand behind the closing run. */
  after?: string
  /** As of `Form`. */
  isCommand?: true
}
