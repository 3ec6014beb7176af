/** The trial in one layout: what is looked for, what of it runs can write, and what comes of canaries there. */
import { join } from 'node:path'
import { callsOf } from './calls.mjs'
import { controls } from './controls.mjs'
import { classOf, lastWords } from './outcomes.mjs'
import { plantable } from './plantable.mjs'
import { play } from './play.mjs'
import { plantUntilSeen } from './seen.mjs'
import { tracedPaths } from './traced-paths.mjs'

/** In each directory whose entries were read. */
const LISTED = 'canary.cjs'
/** Names that are new in each run: nobody looks there again. */
const OF_ONE_RUN = /\d{8}T\d{9}Z-[0-9a-f]{6}|\/[0-9a-f]{38,40}(?:\/|$)|\/objects\/[0-9a-f]{2}$/

export class LayoutTrial {
  /** What ran outside of a sandbox: where it was planted, in which call, and its own line. */
  fired = []
  /** Plays that died: what was planted, the call, and its last words. */
  died = []
  #stage
  #calls
  #random
  /** For each path the calls that looked there. */
  #lookedBy = new Map()
  /** Paths that runs can write. */
  #writable = new Set()
  /** How each call ended without canaries. */
  #expected = new Map()
  #plays = { same: 0, otherwise: 0, stoppedByNpm: 0, died: 0 }
  #ranWithin = 0

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
   * @param {number} seconds for playing again what was hidden when all was planted at once, and all that is closed
   * @param {(text: string) => void} log
   */
  async run(seconds, log) {
    await prepare(this.#stage)
    const seen = await controls(this.#stage)
    seen['each call ends by itself without canaries'] = await this.#traceAll()
    const traced = this.#paths()
    log(`${traced.length} paths traced in ${this.#calls.size} calls`)
    this.#writable = await plantable(this.#stage, traced)
    log(`${this.#writable.size} of them are writable for runs`)
    const seenAtOnce = await this.#plantTogether()
    const further = this.#paths().filter((path) => !traced.includes(path))
    for (const path of await plantable(this.#stage, further)) this.#writable.add(path)
    log(`${further.length} further paths after all were planted at once`)
    const until = performance.now() + seconds * 1000
    const writable = await this.#plantHidden(seenAtOnce, until, log)
    const closed = await this.#plantClosed(until, log)
    const own = this.#paths().filter((path) => this.#stage.isOwn(path))
    return {
      controls: seen, calls: this.#calls.size, traced: traced.length, further: further.length,
      writableByRuns: this.#writable.size,
      ownPackage: { traced: own.length, writableByRuns: own.filter((path) => this.#writable.has(path)).length },
      plantedForCalls: { writable, closed }, plays: this.#plays, ranInSandbox: this.#ranWithin,
      fired: this.fired, died: this.died,
      notWithZero: Object.fromEntries([...this.#expected].map(([name, ended]) => [name, ended.join(', ')])
        .filter(([, ended]) => !/^0(?:, 0)*$/.test(ended))),
    }
  }

  #paths() {
    return [...this.#lookedBy.keys()]
  }

  /** @returns whether none died */
  async #traceAll() {
    let isWell = true
    for (const [name, steps] of this.#calls) {
      this.#stage.reset()
      const played = await play(this.#stage, steps, true)
      this.#expected.set(name, played.outcomes)
      if (classOf(played) === 'died') isWell = false
      for (const path of this.#placesIn(played)) this.#note(path, name)
    }
    return isWell
  }

  #note(path, name) {
    this.#lookedBy.set(path, (this.#lookedBy.get(path) ?? new Set()).add(name))
  }

  /** Where something could have been planted that it looks at. */
  #placesIn({ traces }) {
    const places = new Set()
    for (const trace of traces) {
      const { looked, listed } = tracedPaths(trace, this.#stage.laidOut.cwd)
      for (const path of [...looked, ...[...listed].map((directory) => join(directory, LISTED))]) {
        if (!OF_ONE_RUN.test(path) && this.#stage.isPlace(path)) places.add(path)
      }
    }
    return places
  }

  /** Whatever runs can write, for each call. @returns by call what of it was looked at */
  async #plantTogether() {
    const seenAtOnce = new Map()
    for (const name of this.#calls.keys()) {
      const all = this.#paths().filter((path) => this.#writable.has(path))
      const { seen, looked } = await this.#plantFor(all, name)
      seenAtOnce.set(name, seen)
      for (const path of looked) this.#note(path, name)
    }
    return seenAtOnce
  }

  /** For each call what it looks at when nothing is in its way, and did not when all was planted at once. */
  async #plantHidden(seenAtOnce, until, log) {
    const total = { seen: 0, unseen: 0, notPlayed: 0 }
    for (const name of this.#shuffled([...this.#calls.keys()])) {
      const before = seenAtOnce.get(name)
      const paths = this.#paths().filter((path) => this.#writable.has(path) && this.#lookedBy.get(path).has(name))
      const hidden = paths.filter((path) => !before.has(path))
      total.seen += paths.length - hidden.length
      add(total, await this.#plantAll(hidden, name, until))
      log(`${name}: ${paths.length} planted, ${hidden.length} of them again`)
    }
    return total
  }

  /**
   * What no run can write, but who packs a project for others could: each with one of the calls that looked there. Not
   * where a user's shell starts hermes: whatever npm reads there before hermes starts is npm's to judge.
   */
  async #plantClosed(until, log) {
    const total = { seen: 0, unseen: 0, notPlayed: 0 }
    const byCall = new Map()
    for (const path of this.#paths()) {
      if (this.#writable.has(path) || this.#stage.isOwn(path)) continue
      const [name] = this.#shuffled([...this.#lookedBy.get(path)])
        .filter((one) => !this.#calls.get(one).some(({ byUser }) => byUser))
      if (name !== undefined) byCall.set(name, [...byCall.get(name) ?? [], path])
    }
    for (const [name, paths] of byCall) add(total, await this.#plantAll(paths, name, until))
    log(`closed: ${JSON.stringify(total)}`)
    return total
  }

  #plantAll(paths, name, until) {
    return plantUntilSeen(paths, (group) => this.#plantFor(group, name), () => performance.now() > until)
  }

  /** @returns which of them it looked at, and all places that it looked at */
  async #plantFor(paths, name) {
    this.#stage.reset()
    const before = this.fired.length
    // What lies deeper comes first: a file where a directory is looked for would leave no room for it.
    const planted = paths.toSorted().toReversed().map((path) => ({ path, undo: this.#stage.plant(path) }))
      .filter(({ undo }) => undo)
    if (planted.length === 0) return { seen: new Set(), looked: new Set(), hasFired: false }
    const played = await play(this.#stage, this.#calls.get(name), true)
    const looked = this.#placesIn(played)
    const names = planted.length > 3 ? `${planted.length} places`
      : planted.map(({ path }) => this.#stage.nameOf(path)).join(', ')
    this.#look(names, name, played)
    for (const { undo } of planted.toReversed()) undo()
    // So that no call is played with what an earlier one did to the package.
    if (planted.some(({ path }) => this.#stage.isInstalled(path))) this.#stage.restoreInstalled()
    const seen = new Set(planted.map(({ path }) => path).filter((path) => looked.has(path)))
    return { seen, looked, hasFired: this.fired.length > before }
  }

  #look(planted, call, played) {
    const { outside, within } = this.#stage.fired()
    const ended = classOf(played, this.#expected.get(call))
    this.#plays[ended]++
    if (ended === 'died') {
      const said = this.#stage.nameIn(lastWords(played.said))
      this.died.push({ planted, call, ended: played.outcomes.join(', '), said })
    }
    if (within.length > 0) this.#ranWithin++
    for (const line of new Set(outside)) this.fired.push({ planted, call, line: this.#stage.nameIn(line) })
  }

  #shuffled(list) {
    const keyed = list.map((value) => [this.#random(), value])
    return keyed.sort(([a], [b]) => a - b).map(([, value]) => value)
  }
}

function add(total, more) {
  for (const key of Object.keys(total)) total[key] += more[key]
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
