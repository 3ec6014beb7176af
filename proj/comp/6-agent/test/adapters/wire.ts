/** What a model says in one turn. */
export interface Turn {
  /** What it thinks first, signed or encrypted where the interface does so. */
  thought?: string
  text?: string
  /** `arguments` as written: it need not be JSON. */
  calls?: { id: string; name: string; arguments: string }[]
  /** It ran into the limit of tokens. */
  isCut?: true
}

/** How requests are read and turns are sent by one interface. */
export interface Wire {
  /** What is wrong with a request, as the real service would refuse it. */
  problem(body: Body): string | undefined
  /** How many turns of the model the request has already. */
  turns(body: Body): number
  whole(turn: Turn): object
  /** Lines of the event stream. */
  stream(turn: Turn): string[]
}

export interface Body {
  model: string
  stream?: boolean
  tools?: unknown[]
  messages?: Record<string, unknown>[]
  input?: unknown
  [field: string]: unknown
}

/** The names that a tool may have. */
export function badName(names: readonly unknown[]): string | undefined {
  const bad = names.find((name) => typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
  return bad === undefined ? undefined : `Invalid tool name: ${String(bad)}`
}

/** Both ends of a text, as pieces of a stream. */
export function halves(text: string): [string, string] {
  const middle = Math.floor(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}
