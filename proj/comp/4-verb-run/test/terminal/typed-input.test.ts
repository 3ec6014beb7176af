import { expect, it } from 'vitest'
import type { ApprovalRequest, SandboxMode } from '../../../0-contracts/src/index.js'
import { Hermes } from '../../../5-executor/src/executor/index.js'
import { needing } from '../../../../test/support/needs.js'
import { tempDir } from '../../../../test/support/temp-dir.js'

interface Started {
  command: string
  /** Typed first. */
  first?: string
  /** What the screen shows once the program has the terminal. */
  shows: RegExp
}

/** A session whose user says no, with a program in the foreground of its shell. */
async function typing({ command, first, shows }: Started, texts: readonly string[], sandbox: SandboxMode = 'none') {
  const asked: ApprovalRequest[] = []
  await using hermes = new Hermes({
    root: tempDir(), policy: false, gitCommit: false, sandbox,
    approve(request) {
      asked.push(request)
      return 'deny'
    },
  })
  const call = async (name: string, args: object) => {
    const [result] = (await hermes.call([{ id: 'c', name, arguments: args }], {})).results
    return { code: result?.code ?? 'typed', output: (result?.data as { output?: string } | undefined)?.output ?? '' }
  }
  let { output } = await call('terminal_run', { command, wait_seconds: 0 })
  if (first !== undefined) output += (await call('terminal_input', { text: first, wait_seconds: 0 })).output
  while (!shows.test(output)) output += (await call('terminal_poll', { wait_seconds: 1 })).output
  const codes: string[] = []
  for (const text of texts) codes.push((await call('terminal_input', { text, wait_seconds: 1 })).code)
  return { codes, asked }
}

/** Says that it reads, so that the terminal is its own by then. */
const PYTHON = { command: `python3 -q -i -c 'print("rea" + "dy")'`, shows: /ready/ }

needing('node-pty').describe('what is typed to a program', () => {
  it('is judged as its input', async () => {
    const { codes, asked } = await typing(PYTHON, [
      'print(6*7)', "print(eval('6*7'), [x for x in (1, 2)]) # rm $x", "import shutil; shutil.rmtree('/')",
      'import shutil as s', "s.rmtree('gone')", 'exit()',
    ])
    expect(codes).toEqual(['typed', 'typed', 'APPROVAL_DENIED', 'typed', 'APPROVAL_DENIED', 'typed'])
    expect(asked.map(({ pattern }) => pattern)).toEqual(['recursive delete', 'recursive delete'])
    expect(asked[0]).toMatchObject({ action: 'terminal_input', command: "import shutil; shutil.rmtree('/')\n" })
  })

  it('is judged as shell as well, which reads what a program leaves', async () => {
    const { codes } = await typing(PYTHON, ['rm -rf /', 'exit()'])
    expect(codes).toEqual(['APPROVAL_DENIED', 'typed'])
  })

  it('is judged as shell where a shell reads it', async () => {
    const { codes } = await typing({ command: 'bash --norc', first: 'echo rea"dy"', shows: /ready/ }, ['echo 42', 'rm -rf d', "print(eval('6*7'))", 'exit'])
    expect(codes).toEqual(['typed', 'APPROVAL_DENIED', 'APPROVAL_DENIED', 'typed'])
  })

  it('is asked about for any other program only where it would be dangerous as shell', async () => {
    const { codes } = await typing({ command: 'cat', first: 'hello', shows: /hello\s+hello/ }, ['print(eval("6*7"))', 'rm -rf d'])
    expect(codes).toEqual(['typed', 'APPROVAL_DENIED'])
  })
})

needing('node-pty', 'bubblewrap').it('what is typed to a program in the sandbox is judged as its input', async () => {
  const texts = ["print(eval('6*7'), [x for x in (1, 2)]) # rm $x", "import shutil; shutil.rmtree('gone')", 'exit()']
  const { codes, asked } = await typing(PYTHON, texts, 'bwrap')
  expect(codes).toEqual(['typed', 'APPROVAL_DENIED', 'typed'])
  expect(asked).toMatchObject([{ pattern: 'recursive delete', sandbox: 'bwrap', network: false }])
})
