/** One change of a run. What cannot be done where it comes is left out. */
export type Change =
  | { by: 'verb' | 'command'; name: string; text: string | null }
  | { by: 'move'; name: string; to: string }

/** `changed`: someone else changed something since, and nothing was done. */
export type Outcome = 'ok' | 'nothing' | 'changed' | 'partial'

type States = Map<string, { before: string | undefined; after: string | undefined }>

interface Entry {
  runId: string
  /** What the last thing done for it (run, undo or redo) changed. */
  states: States
  moved?: { from: string; to: string }
  /** An undo (or redo) of it could not put back everything; those of this model then have changed nothing at all. */
  isPartial?: boolean
}

/** What should happen, in a few lines: runs as pairs of states by name. It knows files only. */
export class RunModel {
  readonly files = new Map<string, string>()
  readonly #knowsCommands: boolean
  readonly #isThere: (path: string) => boolean
  #applied: Entry[] = []
  #undone: Entry[] = []
  #unfinished: { kind: 'undo' | 'redo'; entry: Entry } | undefined

  /** @param isThere whether there is a directory */
  constructor(knowsCommands: boolean, isThere: (path: string) => boolean) {
    this.#knowsCommands = knowsCommands
    this.#isThere = isThere
  }

  /** @returns the changes that can be done */
  run(runId: string, changes: readonly Change[]): Change[] {
    const states: States = new Map()
    const done: Change[] = []
    for (const change of changes) if (this.#isKnown(change, done) && this.#change(change, states)) done.push(change)
    if (done.length > 0) this.#add({ runId, states })
    return done
  }

  /** Where nothing tells what commands do, nobody knows whose a file is that both they and verbs of a run have changed. */
  #isKnown(change: Change, done: readonly Change[]): boolean {
    if (this.#knowsCommands) return true
    const paths = pathsOf(change)
    return !done.some((one) => (one.by === 'command') !== (change.by === 'command') && pathsOf(one).some((path) => paths.includes(path)))
  }

  /** @returns false where it cannot be done */
  moveDirectory(runId: string, from: string, to: string): boolean {
    if (!this.#isThere(from) || this.#isThere(to)) return false
    this.#rename(from, to)
    this.#add({ runId, states: new Map(), moved: { from, to } })
    return true
  }

  edit(name: string, text: string | null): void {
    this.#set(name, text ?? undefined)
  }

  removeDirectory(directory: string): void {
    for (const name of this.files.keys()) if (name.startsWith(`${directory}/`)) this.files.delete(name)
  }

  undo(runId?: string): Outcome {
    return this.#reverse('undo', runId)
  }

  redo(): Outcome {
    return this.#reverse('redo', undefined)
  }

  #reverse(kind: 'undo' | 'redo', runId: string | undefined): Outcome {
    const [from, to] = kind === 'undo' ? [this.#applied, this.#undone] : [this.#undone, this.#applied]
    const half = runId === undefined ? this.#unfinished?.entry : to.find((one) => one.runId === runId && one.isPartial === true)
    const goesOn = runId === undefined && this.#unfinished?.kind === kind
    if (half && !goesOn && !from.some((one) => one.runId === runId)) {
      // Nothing was changed by it: so nothing is to be taken back.
      delete half.isPartial
      this.#unfinished = undefined
      return 'ok'
    }
    const entry = goesOn ? half : runId === undefined ? from.at(-1) : from.find((one) => one.runId === runId)
    if (!entry) return 'nothing'
    const outcome = entry.moved ? this.#moveBack(entry.moved) : this.#putBack(entry)
    if (outcome === 'changed') return outcome
    this.#unfinished = undefined
    if (outcome === 'partial') {
      entry.isPartial = true
      this.#unfinished = { kind, entry }
      return outcome
    }
    from.splice(from.indexOf(entry), 1)
    const { moved } = outcome
    to.push({ runId: entry.runId, states: outcome.states, ...(moved && { moved: { from: moved.to, to: moved.from } }) })
    return 'ok'
  }

  #putBack({ states }: Entry): 'changed' | { states: States; moved?: undefined } {
    const real = [...states].filter(([, { before, after }]) => before !== after)
    const isFine = real.every(([name, { before, after }]) => [before, after].includes(this.files.get(name)))
    if (!isFine) return 'changed'
    const changed: States = new Map()
    for (const [name, { before }] of real) {
      const now = this.files.get(name)
      if (now !== before) changed.set(name, { before: now, after: before })
      this.#set(name, before)
    }
    return { states: changed }
  }

  #moveBack(moved: { from: string; to: string }): 'changed' | 'partial' | { states: States; moved?: { from: string; to: string } } {
    if (!this.#isThere(moved.to)) return this.#isThere(moved.from) ? { states: new Map() } : 'changed'
    if (this.#isThere(moved.from)) return 'partial'
    this.#rename(moved.to, moved.from)
    return { states: new Map(), moved }
  }

  #add(entry: Entry): void {
    this.#unfinished = undefined
    // In part repeated, with nothing changed: it is in force, and nothing is to be taken back.
    for (const { runId } of this.#undone.filter(({ isPartial }) => isPartial)) this.#applied.push({ runId, states: new Map() })
    this.#applied.push(entry)
    this.#undone = []
  }

  #change(change: Change, states: States): boolean {
    const { name } = change
    const now = this.files.get(name)
    if (change.by === 'move') {
      if (now === undefined || change.to === name) return false
      this.#note(states, name, undefined)
      this.#note(states, change.to, now)
      return true
    }
    if (change.by === 'verb') {
      if (change.text === null && now === undefined) return false
      this.#note(states, name, change.text ?? undefined)
      return true
    }
    if (this.#knowsCommands) this.#note(states, name, change.text ?? undefined)
    else this.#set(name, change.text ?? undefined)
    return true
  }

  #note(states: States, name: string, after: string | undefined): void {
    const known = states.get(name)
    states.set(name, { before: known ? known.before : this.files.get(name), after })
    this.#set(name, after)
  }

  #set(name: string, text: string | undefined): void {
    if (text === undefined) this.files.delete(name)
    else this.files.set(name, text)
  }

  #rename(from: string, to: string): void {
    for (const [name, content] of Array.from(this.files)) {
      if (!name.startsWith(`${from}/`)) continue
      this.files.delete(name)
      this.files.set(to + name.slice(from.length), content)
    }
  }
}

function pathsOf(change: Change): string[] {
  return change.by === 'move' ? [change.name, change.to] : [change.name]
}
