/** The trial in one layout: what is looked for, what of it runs can write, and what comes of canaries there. */
import { join } from 'node:path'
import { callsOf } from './calls.mjs'
import { controls } from './controls.mjs'
import { plantable } from './plantable.mjs'
import { play } from './play.mjs'
import { tracedPaths } from './traced-paths.mjs'

/** In each directory whose entries were read. */
const LISTED = 'canary.cjs'
/** Names that are new in each run: nobody looks there again. */
const OF_ONE_RUN = /\d{8}T\d{9}Z-[0-9a-f]{6}|\/[0-9a-f]{38,40}(?:\/|$)|\/objects\/[0-9a-f]{2}$/

export class LayoutTrial {
  /** What ran outside of a sandbox: where it was planted, in which call, and its own line. */
  fired = []
  #stage
  #calls
  /** Calls by the paths that they looked at. */
  #lookedBy = new Map()
  #outcomes = {}
  /** Calls that ended in another way when all was planted at once. */
  #otherOutcomes = []
  #plays = 0
  #ranWithin = 0
  #writable = new Set()
  #random

  /**
   * @param {import('./stage.mjs').Stage} stage
   * @param {{ model: string, only: RegExp, random: () => number }} options
   */
  constructor(stage, { model, only, random }) {
    this.#stage = stage
    this.#random = random
    this.#calls = new Map(Object.entries(callsOf(stage, model)).filter(([name]) => only.test(name)))
  }

  /**
   * @param {{ each: number, most: number, group: number, seconds: number }} counts calls for each canary that is
   *   planted in turn; canaries, at most; so many at once; time for these
   * @param {(text: string) => void} log
   */
  async run({ each, most, group, seconds }, log) {
    await prepare(this.#stage)
    const seen = await controls(this.#stage)
    for (const name of this.#calls.keys()) {
      this.#stage.reset()
      await this.#trace(name)
    }
    const traced = this.#paths()
    log(`${traced.length} paths traced in ${this.#calls.size} calls`)
    this.#writable = await plantable(this.#stage, traced)
    log(`${this.#writable.size} of them are writable for runs`)
    await this.#plantTogether()
    const further = this.#paths().filter((path) => !traced.includes(path))
    for (const path of await plantable(this.#stage, further)) this.#writable.add(path)
    log(`${further.length} further paths after all were planted at once`)
    const planted = await this.#plantInTurn({ each, most, group, seconds }, log)
    const own = this.#paths().filter((path) => this.#stage.isOwn(path))
    return {
      controls: seen, calls: this.#calls.size, traced: traced.length, further: further.length,
      writableByRuns: this.#writable.size,
      ownPackage: { traced: own.length, writableByRuns: own.filter((path) => this.#writable.has(path)).length },
      places: this.#paths().length - own.length, plantedInTurn: planted, plays: this.#plays,
      ranInSandbox: this.#ranWithin, fired: this.fired.length,
      notWithZero: Object.fromEntries(
        Object.entries(this.#outcomes).filter(([, ended]) => !/^0(?:, 0)*$/.test(ended)),
      ),
      otherOutcomesWhenPlanted: this.#otherOutcomes,
    }
  }

  #paths() {
    return [...this.#lookedBy.keys()]
  }

  async #trace(name) {
    const { outcomes, traces } = await play(this.#stage, this.#calls.get(name), true)
    const outcome = outcomes.join(', ')
    this.#outcomes[name] ??= outcome
    for (const trace of traces) {
      const { looked, listed } = tracedPaths(trace, this.#stage.laidOut.cwd)
      for (const path of [...looked, ...[...listed].map((directory) => join(directory, LISTED))]) {
        if (OF_ONE_RUN.test(path) || !this.#stage.isPlace(path)) continue
        this.#lookedBy.set(path, (this.#lookedBy.get(path) ?? new Set()).add(name))
      }
    }
    return outcome
  }

  /**
   * What runs can write is planted for all calls. What they cannot, but who packs a project for others could, only for
   * hermes itself: whatever npm reads there before hermes starts is npm's to judge.
   */
  #mayPlant(path, name) {
    if (this.#stage.isOwn(path)) return this.#writable.has(path)
    return this.#writable.has(path) || !this.#calls.get(name).some(({ byUser }) => byUser)
  }

  async #plantTogether() {
    for (const name of this.#calls.keys()) {
      this.#stage.reset()
      // What lies deeper comes first: a file where a directory is looked for would leave no room for it.
      const paths = this.#paths().filter((path) => this.#writable.has(path)).sort().toReversed()
      const undo = paths.map((path) => this.#stage.plant(path))
      if (await this.#trace(name) !== this.#outcomes[name]) this.#otherOutcomes.push(name)
      this.#look('all at once', name)
      for (const one of undo.toReversed()) one?.()
      // So that no call is played with what an earlier one did to the package.
      this.#stage.restoreInstalled()
    }
  }

  /**
   * What runs can write by a few at once, and each alone where a canary of these ran; all else alone, since hermes may
   * go no further for it.
   *
   * @returns how many were planted
   */
  async #plantInTurn({ each, most, group, seconds }, log) {
    const chosen = this.#shuffled(this.#paths()).slice(0, most)
    const writable = chosen.filter((path) => this.#writable.has(path))
    const closed = chosen.filter((path) => !this.#writable.has(path))
    const groups = [...Array.from({ length: Math.ceil(writable.length / group) }, (_, index) => (
      writable.slice(index * group, (index + 1) * group)
    )), ...closed.map((path) => [path])]
    const planted = new Set()
    const until = performance.now() + seconds * 1000
    for (const [index, paths] of groups.entries()) {
      if (performance.now() > until) break
      for (const name of this.#callsFor(paths, each)) {
        const { names, hasFired } = await this.#plantFor(paths, name)
        for (const one of names) planted.add(one)
        if (hasFired && paths.length > 1) for (const path of paths) await this.#plantFor([path], name)
      }
      if (index % 20 === 19) log(`${index + 1} of ${groups.length} groups planted, ${this.fired.length} fired`)
    }
    return planted.size
  }

  /** A few of the calls that looked there, and of each place one. */
  #callsFor(paths, each) {
    const names = new Set()
    for (const path of paths) {
      const able = this.#shuffled([...this.#lookedBy.get(path)]).filter((name) => this.#mayPlant(path, name))
      const missing = each - able.filter((name) => names.has(name)).length
      for (const name of able.filter((one) => !names.has(one)).slice(0, Math.max(0, missing))) names.add(name)
    }
    return names
  }

  async #plantFor(paths, name) {
    this.#stage.reset()
    const before = this.fired.length
    const planted = paths.toSorted().toReversed().map((path) => ({ path, undo: this.#stage.plant(path) }))
      .filter(({ undo }) => undo)
    const names = planted.map(({ path }) => this.#stage.nameOf(path))
    if (planted.length > 0) {
      await play(this.#stage, this.#calls.get(name))
      this.#look(names.join(', '), name)
    }
    for (const { undo } of planted.toReversed()) undo()
    return { names, hasFired: this.fired.length > before }
  }

  #look(planted, call) {
    const { outside, within } = this.#stage.fired()
    this.#plays++
    if (within.length > 0) this.#ranWithin++
    for (const line of new Set(outside)) this.fired.push({ planted, call, line: this.#stage.nameIn(line) })
  }

  #shuffled(list) {
    const keyed = list.map((value) => [this.#random(), value])
    return keyed.sort(([a], [b]) => a - b).map(([, value]) => value)
  }
}

/** Two commits, a run that is in force, and one that was taken back; both could write in the further directory. */
async function prepare(stage) {
  stage.handOver(stage.directory)
  for (const args of [
    ['init', '-q'], ['add', '-A'], ['commit', '-qm', 'one'], ['commit', '-qm', 'two', '--allow-empty'],
  ]) stage.git(...args)
  const write = (name) => `{"verb": "fs.writeFile", "arguments": {"path": "${name}", "content": "text"}}`
  const { outcomes } = await play(stage, [
    { args: ['exec', '--allow', stage.allowed], input: write('first.txt') },
    { args: ['exec', '--allow', stage.allowed], input: write('second.txt') }, { args: ['undo'] },
  ])
  if (outcomes.join() !== '0,0,0') throw new Error(`The runs before the trial ended with ${outcomes.join(', ')}`)
  stage.keep()
}
