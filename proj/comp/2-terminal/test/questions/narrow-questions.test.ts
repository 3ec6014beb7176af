import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { ApprovalQuestion } from '../../../0-contracts/src/index.js'
import { TerminalUi } from '../../src/index.js'

const LONG = 'it deletes a directory with all it holds, and what else was said about it at some length'
const COMMAND = 'rm -rf build dist coverage node_modules && npm install --no-audit --no-fund && npm run build'
const REQUESTS: readonly ApprovalQuestion[] = [
  {
    action: 'execute_command', kind: 'dangerous', pattern: 'recursive delete', reason: LONG, command: COMMAND,
    directory: '/home/somebody/projects/app', sandbox: 'bwrap', network: false, exact: 'x',
    variables: [{ name: 'BASH_ENV', value: 'setup.sh', changesWhatRuns: true }],
  },
  { action: 'hooks', kind: 'hooks', pattern: 'x@1', reason: LONG, command: COMMAND },
  { action: 'write_file', kind: 'policy', reason: LONG, diff: '- old line of the file\n+ new line of the file that is longer than the terminal is wide' },
  { action: 'execute_command', kind: 'escalation', reason: LONG, command: COMMAND, offers: ['network', 'git', 'network+git', 'outside'] },
]

/** All that is shown until it asks again, after a reply that is no answer. */
async function shown(columns: number, ask: (ui: TerminalUi, signal: AbortSignal) => Promise<unknown>): Promise<string> {
  const input = new PassThrough()
  const asked = new AbortController()
  const pieces: string[] = []
  const write = (piece: string): void => {
    // Not at once: it waits for the next line first.
    if (pieces.push(piece) === 3) setImmediate(() => asked.abort())
  }
  const output = { columns, rows: 200, isTTY: false, write }
  const ui = new TerminalUi({
    input: input as unknown as NodeJS.ReadStream, output: output as unknown as NodeJS.WriteStream,
    discardTyped: async () => void input.write('what\n'), isPlain: true,
  })
  await expect(ask(ui, asked.signal)).rejects.toMatchObject({ code: 'CANCELLED' })
  // The terminal itself echoes Enter before it asks again.
  return `${pieces.slice(0, 2).join('')}\n${pieces.slice(2).join('')}`
}

const QUESTIONS: readonly (readonly [string, (ui: TerminalUi, signal: AbortSignal) => Promise<unknown>])[] = [
  ...REQUESTS.map((request) => [`approval: ${request.kind}`, async (ui: TerminalUi, signal: AbortSignal) => ui.approve(request, signal)] as const),
  ['ask_user', async (ui, signal) => ui.ask({ question: LONG, options: [LONG, COMMAND], defaultOption: LONG }, signal)],
  ['confirm_action', async (ui, signal) => ui.confirm({ description: LONG, destructive: true }, signal)],
  ['turns', async (ui, signal) => ui.goOn(25, signal)],
  ['formats', async (ui, signal) => ui.offer(['cline', 'search-replace'], '  write_file a.txt\n', signal)],
]

describe.each([40, 60, 80, 120])('questions at %i columns', (columns) => {
  it.each(QUESTIONS)('%s: every word that fits is whole, and no row is wider than the terminal', async (_, ask) => {
    const [narrow, wide] = [await shown(columns, ask), await shown(1000, ask)]
    const rows = narrow.split('\n')
    expect(rows.filter((row) => row.trimEnd().length > columns)).toEqual([])
    const words = new Set(rows.flatMap((row) => row.split(/\s+/)))
    expect(wide.split(/\s+/).filter((word) => word.length < columns - 5 && !words.has(word))).toEqual([])
    expect(wide.length).toBeGreaterThan(20)
  })
})
