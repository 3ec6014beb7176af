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
/** Between a path and the program that looks there. */
const BY = '\0'
/** Names that are new in each run: nobody looks there again. */
const OF_ONE_RUN = /\d{8}T\d{9}Z-[0-9a-f]{6}|\/[0-9a-f]{38,40}(?:\/|$)|\/objects\/[0-9a-f]{2}$/

export class LayoutTrial {
  /** What ran outside of a sandbox: where it was planted, in which call, and its own line. */
  fired = []
  /** Plays that died: what was planted, the call, and its last words. */
  died = []
  #stage
  #calls
  /** For each path, and with each program that looked there, the calls in which it did. */
  #lookedBy = new Map()
  /** Paths that runs can write, and those of them that are looked at when nothing is planted. */
  #writable = new Set()
  #first = new Set()
  /** How each call ended without canaries. */
  #expected = new Map()
  /** How long, in milliseconds. */
  #durations = new Map()
  #plays = { same: 0, otherwise: 0, stoppedByNpm: 0, died: 0 }
  #ranWithin = 0

  /**
   * @param {import('./stage.mjs').Stage} stage
   * @param {{ model: string, only: RegExp }} options
   */
  constructor(stage, { model, only }) {
    this.#stage = stage
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
    const tracedLooks = new Set(this.#lookedBy.keys())
    log(`${traced.length} paths traced in ${this.#calls.size} calls`)
    this.#writable = await plantable(this.#stage, traced)
    log(`${this.#writable.size} of them are writable for runs`)
    const seenAtOnce = await this.#plantTogether()
    const further = this.#paths().filter((path) => !traced.includes(path))
    for (const path of await plantable(this.#stage, further)) this.#writable.add(path)
    log(`${further.length} further paths after all were planted at once`)
    const until = performance.now() + seconds * 1000
    this.#first = new Set([...tracedLooks].map(pathOf).filter((path) => this.#writable.has(path)))
    const writable = await this.#plantHidden(tracedLooks, seenAtOnce, until)
    log(`${sumOf(this.#plays)} plays; writable: ${JSON.stringify(writable)}`)
    const closed = await this.#plantClosed(tracedLooks, until)
    log(`${sumOf(this.#plays)} plays; closed: ${JSON.stringify(closed)}`)
    const own = this.#paths().filter((path) => this.#stage.isOwn(path))
    return {
      controls: seen, calls: this.#calls.size, traced: traced.length, further: further.length,
      writableByRuns: this.#writable.size,
      ownPackage: { traced: own.length, writableByRuns: own.filter((path) => this.#writable.has(path)).length },
      planted: { writable, closed }, plays: this.#plays, ranInSandbox: this.#ranWithin,
      fired: this.fired, died: this.died,
      notWithZero: Object.fromEntries([...this.#expected].map(([name, ended]) => [name, ended.join(', ')])
        .filter(([, ended]) => !/^0(?:, 0)*$/.test(ended))),
    }
  }

  #paths() {
    return [...new Set([...this.#lookedBy.keys()].map(pathOf))]
  }

  /** @returns whether none died */
  async #traceAll() {
    let isWell = true
    for (const [name, steps] of this.#calls) {
      this.#stage.reset()
      const began = performance.now()
      const played = await play(this.#stage, steps, true)
      this.#durations.set(name, performance.now() - began)
      this.#expected.set(name, played.outcomes)
      if (classOf(played) === 'died') isWell = false
      this.#note(this.#looksIn(played), name)
    }
    return isWell
  }

  #note(looks, name) {
    for (const look of looks) this.#lookedBy.set(look, (this.#lookedBy.get(look) ?? new Set()).add(name))
  }

  /** Where something could have been planted, and which program looks there. */
  #looksIn({ traces }) {
    const looks = new Set()
    for (const trace of traces) {
      const { looked, listed } = tracedPaths(trace, this.#stage.laidOut.cwd)
      const within = [...listed].map(([directory, programs]) => [join(directory, LISTED), programs])
      for (const [path, programs] of [...looked, ...within]) {
        if (OF_ONE_RUN.test(path) || !this.#stage.isPlace(path)) continue
        for (const program of programs) looks.add(`${path}${BY}${program}`)
      }
    }
    return looks
  }

  /** Whatever runs can write, for each call. @returns what of it was looked at, by whom */
  async #plantTogether() {
    const seenAtOnce = new Set()
    for (const name of this.#calls.keys()) {
      const all = this.#paths().filter((path) => this.#writable.has(path))
      const { seen, looks } = await this.#plantFor(all, name)
      for (const look of seen) seenAtOnce.add(look)
      this.#note(looks, name)
    }
    return seenAtOnce
  }

  /**
   * For each program what in no call it looked at when all was planted at once: what it looks at when nothing is in its
   * way, and before that, among the others again, what it came to only since they lay there.
   */
  async #plantHidden(tracedLooks, seenAtOnce, until) {
    const looks = [...this.#lookedBy].filter(([look]) => this.#writable.has(pathOf(look)))
    const seen = new Set(seenAtOnce)
    const plantAmong = (others) => async (group, name) => {
      const { seen: here, hasFired } = await this.#plantFor([...new Set([...group.map(pathOf), ...others])], name)
      for (const look of here) seen.add(look)
      return { seen: new Set(group.filter((look) => seen.has(look))), hasFired }
    }
    const unseen = (which) => new Map(looks.filter(([look]) => !seen.has(look) && which(look)))
    await this.#plantUntilSeen(unseen((look) => !tracedLooks.has(look)), until, plantAmong(this.#first))
    const counts = await this.#plantUntilSeen(unseen(() => true), until, plantAmong([]))
    return { ...counts, seen: looks.length - counts.unseen - counts.notPlayed }
  }

  /**
   * What no run can write, but who packs a project for others could: each with one of the calls that looked there. Not
   * where a user's shell starts hermes: whatever npm reads there before hermes starts is npm's to judge.
   */
  async #plantClosed(tracedLooks, until) {
    const closed = new Map()
    for (const [look, calls] of this.#lookedBy) {
      const path = pathOf(look)
      if (this.#writable.has(path) || this.#stage.isOwn(path)) continue
      const byTrial = [...calls].filter((name) => !this.#calls.get(name).some(({ byUser }) => byUser))
      if (byTrial.length > 0) closed.set(path, new Set([...closed.get(path) ?? [], ...byTrial]))
    }
    const traced = new Set([...tracedLooks].map(pathOf))
    const plantAmong = (others) => async (group, name) => {
      const { seen, hasFired } = await this.#plantFor([...new Set([...group, ...others])], name)
      const paths = new Set([...seen].map(pathOf))
      return { seen: new Set(group.filter((path) => paths.has(path))), hasFired }
    }
    const part = (isTraced) => new Map([...closed].filter(([path]) => traced.has(path) === isTraced))
    const alone = await this.#plantUntilSeen(part(true), until, plantAmong([]))
    const among = await this.#plantUntilSeen(part(false), until, plantAmong(this.#first))
    return Object.fromEntries(Object.entries(alone).map(([key, count]) => [key, count + among[key]]))
  }

  #plantUntilSeen(places, until, plantFor) {
    return plantUntilSeen(places, (name) => this.#durations.get(name), plantFor, () => performance.now() > until)
  }

  /** @returns which of them was looked at by whom, and all looks */
  async #plantFor(paths, name) {
    this.#stage.reset()
    const before = this.fired.length
    // What lies deeper comes first: a file where a directory is looked for would leave no room for it.
    const planted = paths.toSorted().toReversed().map((path) => ({ path, undo: this.#stage.plant(path) }))
      .filter(({ undo }) => undo)
    if (planted.length === 0) return { seen: new Set(), looks: new Set(), hasFired: false }
    const played = await play(this.#stage, this.#calls.get(name), true)
    const looks = this.#looksIn(played)
    const names = planted.length > 3 ? `${planted.length} places`
      : planted.map(({ path }) => this.#stage.nameOf(path)).join(', ')
    this.#look(names, name, played)
    for (const { undo } of planted.toReversed()) undo()
    // So that no call is played with what an earlier one did to the package.
    this.#stage.restoreInstalled()
    const placed = new Set(planted.map(({ path }) => path))
    return {
      seen: new Set([...looks].filter((look) => placed.has(pathOf(look)))), looks,
      hasFired: this.fired.length > before,
    }
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
}

function sumOf(counts) {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

function pathOf(look) {
  return look.split(BY)[0]
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
