import type { NamedDialect } from '../../../0-contracts/src/index.js'

/**
 * A format in which models write tool calls, as data. A call begins with a sentinel (`opens`) that prose does not
 * contain; several calls may stand in a wrapper.
 */
export interface Dialect {
  /** Name in options and results, e.g. `qwen3-coder`. */
  name: string
  /** Name in messages. */
  title: string
  /** Where the format is defined: model card, chat template, parser. */
  source: string
  /** What may surround its calls; behind a complete call the closing part may be missing. */
  wrappers: readonly Wrapper[]
  /** The shapes of a call; the first one whose head matches counts. */
  forms: readonly CallForm[]
  /** Fences that are calls. */
  fences?: readonly FenceForm[]
  /** An answer may hold only one call of it; of several none runs. */
  isSingle?: true
  /** Example that error messages show. */
  shape: string
  /** How a prompt teaches the format. */
  writing?: CallWriting
  /** Set for formats that are only read where enabled by name, since prose and code may contain what opens them. */
  named?: NamedDialect
  /** What its harness writes below a call. An answer that contains it made up the result and all that follows. */
  resultMark?: string
  /** Names that call no tool: with these the model answers the user. */
  answers?: readonly string[]
}

/** How the model's chat template writes calls and lists tools. */
export interface CallWriting {
  /** Template of a call: `%name`, `%index` from 0, and `%args` (arguments as JSON) or `%fields` (each by `field`). */
  call: string
  /** Template of an argument: `%key` and `%value`; a string is inserted as it is, other values as JSON. */
  field?: string
  tools: ToolListing
}

export interface ToolListing {
  open: string
  close: string
  /**
   * Template of one tool: `%tool`, its definition for function calling, or the parts `%name`, `%description`, `%schema`
   * and `%parameters`.
   */
  each: string
  /**
   * Template of one of the `%parameters`: `%key`, `%optional` (`?` or nothing), `%type` (`%ts`: as TypeScript) and
   * `%description`.
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
  /** The text a call begins with; `''` for calls that only stand in a wrapper. */
  opens: string
  /**
   * Sticky pattern from `opens` to where the arguments begin, with groups `name` and `id`. It may span a few lines, and
   * must match or fail within the line that decides.
   */
  head: RegExp
  /**
   * Sticky pattern for the first line of a call, for forms whose opener is also common elsewhere (it may be a single
   * character). If `head` fails after all, the lines were no call.
   */
  begins?: RegExp
  /** The call runs a command, or any tool it names: dialect `auto` does not read it. */
  isCommand?: true
  /** The last line of the call must hold nothing else. */
  isAlone?: true
}

/** One JSON value: the arguments where the head names the tool, else the calls themselves. */
export interface JsonForm extends Form {
  kind: 'json'
  /** Closing texts of the call, behind the value; may be missing. */
  closes: readonly string[]
  /** The value stands in a fence, which is opened by `head`. */
  isFenced?: true
  /** Keys of name and arguments in objects that name their tool; alternatives in order. */
  keys?: readonly CallKeys[]
  /** Text between two values. */
  separator?: string
}

export interface CallKeys {
  name: string
  arguments: string
  id?: string
  /** Key of an inner object that holds name and arguments: OpenAI's `function`. */
  within?: string
}

/** Elements with raw text: a value ends at its closer that is followed by the next element or the end of the call. */
export interface ElementsForm extends Form {
  kind: 'elements'
  /** Sticky pattern for the beginning of a parameter. */
  fieldOpens: RegExp
  /**
   * Sticky pattern for the whole opening of a parameter, with groups `key` and `json` (set where the value is JSON).
   */
  field: RegExp
  /** `field` may span two lines. */
  spansLines?: true
  /** Closer of a parameter; absent where it contains the parameter's name: `</KEY>`. */
  fieldClose?: string
  close: string
  /** A line break at each end of a value is not part of it. */
  isPadded: boolean
  /** Parameter whose final line break is part of its value, such as the text of a file. */
  keepsEnd?: string
}

/** One tag with raw text up to its closer; attributes are parameters too. The head's group `attributes` holds them. */
export interface TagForm extends Form {
  kind: 'tag'
  /** The verb that the tag calls. */
  verb: string
  /** Parameter name by attribute; `''` for attributes to ignore. */
  attributes: Readonly<Record<string, string>>
  /** Parameters with fixed values. */
  fixed?: Readonly<Record<string, string>>
  /** The parameter that gets the text, without a line break right behind the tag; absent where the text is ignored. */
  body?: string
  close: string
}

/** Calls as Python writes them: `[f(a="x"), g(b=1)]` or `f(a="x")`. */
export interface PythonForm extends Form {
  kind: 'python'
  closes: readonly string[]
}

/** A fence that is a call: its text is a parameter, or calls in Python. */
export interface FenceForm {
  /** First words of the info string; `''` for a fence without one. */
  languages: readonly string[]
  /** Absent where the text is calls in Python. */
  calls?: { name: string; body: string; fixed?: Readonly<Record<string, string>> }
  /**
   * The text is a single command: of the shell (by `calls`), or one of the harness's own, which runs as one of these
   * verbs.
   */
  runsAs?: readonly string[]
  /** The parameter that gets the rest of the info string. */
  rest?: string
  /** What the text must begin with; otherwise the fence is no call. */
  begins?: RegExp
  /** Text that may follow the closing run of the fence. */
  after?: string
  /** As in `Form`. */
  isCommand?: true
}
