/** Answers that come while they run: how soon a block begins, and what memory a long one takes. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Hermes, VERBS, VerbRegistry } from '../../dist/index.js'
import { block, pieces, TEXTS } from './support/stream-texts.mjs'
import { nothing } from './support/verb-nothing.mjs'

const BLOCKS = 3000
const GB = 1e9
const SMALL_HEAP = '--optimize-for-size'

export default async function run() {
  const figures = [...await delay('tokens', 16), ...await delay('whole lines', Infinity), ...await ofProgram()]
  for (const [name, kind, flags] of [
    ['library, 200 MB of prose with few blocks', 'prose', []], ['library, 200 MB of blocks of 1 KB', 'blocks', []],
    ['the same, node --optimize-for-size', 'blocks', [SMALL_HEAP]],
  ]) {
    const { first, rest, seconds, blocks } = ofLibrary(kind, GB / 5, flags)
    figures.push(
      { name: `${name}: most memory`, value: Math.max(first, rest), unit: 'MB' },
      { name: `${name}: from 20 MB on, against before`, value: rest, unit: 'MB', against: first },
    )
    if (kind === 'blocks') figures.push({ name: `${name}: a block`, value: seconds / blocks * 1e6, unit: 'µs' })
  }
  return figures
}

/**
 * From the moment a block's last piece is given to the stream to its handler's start;
 * a turn of the event loop between pieces.
 */
async function delay(name, size) {
  const root = mkdtempSync(join(tmpdir(), 'hermes-bench-'))
  let given = 0
  const delays = []
  const registry = new VerbRegistry(VERBS).register(nothing(() => {
    delays.push(performance.now() - given)
  }))
  async function* source() {
    for (let number = 0; number < BLOCKS; number++) {
      const text =
        `Now the next one.\n\n${block(number, 'do_nothing', { content: 'a line of code here\n'.repeat(40) })}`
      for (const piece of text.match(size === Infinity ? /.*\n/g : new RegExp(`[^]{1,${size}}`, 'g'))) {
        await nextTurn()
        given = performance.now()
        yield piece
      }
    }
  }
  try {
    for await (const _ of new Hermes({ root, registry, policy: false, gitCommit: false }).stream(source()));
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
  const sorted = delays.toSorted((a, b) => a - b)
  return [
    {
      name: `last piece of a block to its handler, ${name}: median`, value: sorted[BLOCKS >> 1], unit: 'ms',
      target: '< 1 ms',
    },
    {
      name: `last piece of a block to its handler, ${name}: 99 %`, value: sorted[Math.floor(BLOCKS * 0.99)], unit: 'ms',
    },
    { name: `last piece of a block to its handler, ${name}: the first`, value: delays[0], unit: 'ms' },
  ]
}

/** `hermes apply -`, a process that reads a pipe. */
async function ofProgram() {
  if (process.platform !== 'linux') return []
  const place = mkdtempSync(join(tmpdir(), 'hermes-bench-'))
  try {
    mkdirSync(join(place, '.hermes'))
    writeFileSync(join(place, '.hermes', 'config.yaml'), 'limits: { blocks: 1000000000 }\n')
    mkdirSync(join(place, 'root'))
    writeFileSync(join(place, 'root', 'a.txt'), '')
    const cli = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url))
    const child = spawn(process.execPath, [cli, 'apply', '-', '--no-git'], {
      cwd: join(place, 'root'), env: { ...process.env, HOME: place }, stdio: ['pipe', 'ignore', 'inherit'],
    })
    const [first, rest] = await feed(child)
    return [
      {
        name: 'hermes apply -, 1 GB, a block in each KB: most memory', value: Math.max(first, rest), unit: 'MB',
        target: '< 120 MB',
      },
      {
        name: 'hermes apply -, from 100 MB on, against before', value: rest, unit: 'MB', against: first, target: 'flat',
      },
    ]
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** @returns the most resident memory, in MB, during the first tenth and the rest */
async function feed(child) {
  const ended = once(child, 'exit')
  const most = [0, 0]
  let sent = 0
  for (const piece of pieces(TEXTS.looks, GB)) {
    const [, kilobytes] = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))
    const part = sent < GB / 10 ? 0 : 1
    most[part] = Math.max(most[part], Number(kilobytes) * 1024 / 1e6)
    sent += piece.length
    if (!child.stdin.write(piece)) await once(child.stdin, 'drain')
  }
  child.stdin.end()
  const [code] = await ended
  if (code !== 0) throw new Error(`hermes apply ended with ${code}`)
  return most
}

function ofLibrary(kind, bytes, flags) {
  const program = fileURLToPath(new URL('support/stream-memory.mjs', import.meta.url))
  return JSON.parse(execFileSync(process.execPath, [...flags, program, kind, String(bytes)], { encoding: 'utf8' }))
}
