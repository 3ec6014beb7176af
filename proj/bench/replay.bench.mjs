/**
 * Replays of many small transcripts against a bare loop of execute() over the same texts, with workers and without, and
 * the memory of the one that reads and reports. HERMES_BENCH_TRANSCRIPTS says how many (default: 10,000).
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const COUNT = Number(process.env.HERMES_BENCH_TRANSCRIPTS ?? 10_000)
const cli = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url))
const library = new URL('../../dist/index.js', import.meta.url).href
const BURN = 'while (process.cpuUsage().user < 50000);'

export default async function run() {
  const directory = mkdtempSync(join(tmpdir(), 'hermes-bench-'))
  try {
    const [small, tenth, busy] = [['small', COUNT, smallOne], ['tenth', COUNT / 10, smallOne], [
      'busy', COUNT / 100, busyOne,
    ]].map(([name, count, make]) => {
      const file = join(directory, `${name}.jsonl`)
      writeFileSync(file, Array.from({ length: count }, (_, index) => JSON.stringify(make(index))).join('\n'))
      return file
    })
    const loop = bareLoop(directory)
    const here = await replay(small)
    const two = await replay(small, '--workers', '2')
    const few = await replay(tenth)
    const [busyOneWorker, busyTwoWorkers] = [await replay(busy, '--workers', '1'), await replay(busy, '--workers', '2')]
    return [
      { name: 'small, in one process, against a bare loop', value: here.rate, against: loop, unit: '/s' },
      { name: 'small, 2 workers, against a bare loop', value: two.rate, against: loop, unit: '/s' },
      {
        name: '50 ms of CPU, 2 workers, against 1', value: busyTwoWorkers.rate, against: busyOneWorker.rate, unit: '/s',
        target: '1.5× on two free cores',
      },
      {
        name: 'memory at its highest, against a tenth of them', value: here.megabytes, against: few.megabytes,
        unit: 'MB', target: 'flat',
      },
    ]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function conversation(calls, results) {
  return { conversations: [
    {
      from: 'gpt',
      value: calls.map(([name, args]) => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`)
        .join('\n'),
    },
    {
      from: 'tool',
      value: results.map((data) => `<tool_response>${JSON.stringify({ success: true, data })}</tool_response>`)
        .join('\n'),
    },
  ] }
}

function smallOne(index) {
  const content = `transcript ${index} ${'x'.repeat(500)}`
  return conversation([['fs.writeFile', { path: 'a', content }], ['fs.readFile', { path: 'a' }]], [{}, { content }])
}

function busyOne(index) {
  return conversation(
    [['exec', { lang: 'javascript', code: `${BURN} console.log(${index})` }]],
    [{ stdout: `${index}\n`, stderr: '', exit_code: 0 }],
  )
}

/** Transcripts a second by its own clock, and the most memory that the process at the top had. */
async function replay(file, ...flags) {
  const child = spawn(
    process.execPath, [cli, 'replay', file, '--json', ...flags], { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  let megabytes = 0
  const look = setInterval(() => (megabytes = Math.max(megabytes, highest(child.pid))), 50)
  let stdout = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) stdout += chunk
  clearInterval(look)
  const { transcripts, drifted, durationMs } = JSON.parse(stdout)
  if (drifted > 0) throw new Error(`${drifted} drifted`)
  return { rate: transcripts / durationMs * 1000, megabytes }
}

function highest(pid) {
  try {
    return Math.round(Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024)
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error
    return 0
  }
}

/** Each text in a directory of its own, as a replay has it. */
function bareLoop(directory) {
  const root = join(directory, 'bare')
  mkdirSync(root)
  const count = Math.min(COUNT, 2000)
  const program = `
    import { mkdirSync } from 'node:fs'
    import { execute } from ${JSON.stringify(library)}
    const startedAt = performance.now()
    for (let index = 0; index < ${count}; index++) {
      const root = ${JSON.stringify(root)} + '/' + index
      mkdirSync(root)
      const content = 'transcript ' + index + ' ' + 'x'.repeat(500)
      const call = (name, args) => '<tool_call>' + JSON.stringify({ name, arguments: args }) + '</tool_call>'
      const calls = [call('fs.writeFile', { path: 'a', content }), call('fs.readFile', { path: 'a' })]
      const { success } = await execute(calls.join('\\n'), { root })
      if (!success) throw new Error('failed')
    }
    console.log(${count} / (performance.now() - startedAt) * 1000)`
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }))
}
