/** Feeds one process' targets; the trial watches it from outside, and sees by the shared memory what it is at. */
import { mkdirSync } from 'node:fs'
import inspector from 'node:inspector'
import { parentPort, workerData } from 'node:worker_threads'
import { mutated } from './fuzz-mutations.mjs'
import { randomFrom } from './random.mjs'

const { entry, directory, seed, seeds, words, shared } = workerData
const MOST_KEPT = 3000
const SLOW_MS = 2000
const BATCH = 16
const beat = new Int32Array(shared, 0, 2)
const current = new Uint16Array(shared, 8)

const session = new inspector.Session()
session.connect()
const post = (method, parameters) => {
  let answer
  session.post(method, parameters, (error, result) => {
    if (error) throw error
    answer = result
  })
  return answer
}
post('Profiler.enable')
post('Profiler.startPreciseCoverage', { callCount: false, detailed: true })

mkdirSync(directory, { recursive: true })
const { targets, Broken } = await import(entry)
const random = randomFrom(seed)
const known = new Set()
const all = Object.entries(targets(directory)).map(([name, run]) => ({
  name,
  run,
  corpus: [...(seeds[name] ?? []), ''],
  fresh: [...(seeds[name] ?? [])],
  words: words[name],
  signatures: new Set(),
}))
newPlaces()

for (;;) {
  for (const target of all) {
    const texts = Array.from(
      { length: BATCH },
      () => target.fresh.shift() ?? mutated(target.corpus, target.words, random),
    )
    for (const text of texts) await feed(target, text)
    // Asked for all together: the question takes longer than an answer.
    const places = newPlaces()
    if (places > 0) texts.forEach((text) => keep(target, text))
    tell({ done: target.name, texts: texts.length, places, kept: target.corpus.length })
  }
  // Messages from outside are heard.
  await new Promise((resolve) => setImmediate(resolve))
}

async function feed(target, text) {
  current.set(
    Array.from({ length: Math.min(text.length, current.length - 1) }, (_, at) => text.charCodeAt(at)),
    1,
  )
  current[0] = Math.min(text.length, current.length - 1)
  Atomics.store(beat, 1, all.indexOf(target))
  Atomics.add(beat, 0, 1)
  const started = process.cpuUsage()
  const found = { name: target.name, text }
  try {
    const signature = await target.run(text)
    if (!target.signatures.has(signature) && target.signatures.size < MOST_KEPT) {
      target.signatures.add(signature)
      keep(target, text)
    }
  } catch (error) {
    found.kind = error instanceof Broken ? 'broken' : 'crash'
    found.message = error instanceof Error ? `${error.message}\n${error.stack ?? ''}`.slice(0, 1500) : String(error)
  }
  // Of the processor, not of the clock: other work on the machine slows nothing down then.
  const took = process.cpuUsage(started).user / 1000
  if (took > SLOW_MS) found.kind ??= 'slow'
  if (found.kind) tell({ ...found, took })
}

function tell(message) {
  // Of a thread, not of a window.
  Reflect.apply(parentPort.postMessage, parentPort, [message])
}

function keep({ corpus }, text) {
  if (text.length < 4000 && corpus.length < MOST_KEPT) corpus.push(text)
}

/** How many blocks of hermes' code ran for the first time. */
function newPlaces() {
  const { result } = post('Profiler.takePreciseCoverage')
  let count = 0
  for (const { url, functions } of result) {
    if (!url.includes('/trial-')) continue
    for (const { ranges } of functions) {
      for (const { startOffset, endOffset, count: ran } of ranges) {
        const key = `${url}:${startOffset}:${endOffset}`
        if (ran === 0 || known.has(key)) continue
        known.add(key)
        count++
      }
    }
  }
  return count
}
