import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useCli } from '../../../../test/support/cli.js'
import { writeTree } from '../../../../test/support/file-tree.js'
import { tempDir } from '../../../../test/support/temp-dir.js'

const cli = useCli()
const call = (name: string, args: object): string => (
  `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>\n\n`
)
const ANSWER = `${call('fs.writeFile', { path: 'a.txt', content: 'x' })}${call('fs.readFile', { path: 'b.txt' })}`
  + '<tool_call>\n{"name": "fs.readFile", \n</tool_call>\n'

function project(): string {
  const cwd = tempDir()
  writeTree(cwd, { 'answer.md': ANSWER })
  return cwd
}

describe('reports of a run for CI', () => {
  it('are written side by side: a test case for each block and text that did not parse, a finding for each failure', async () => {
    const cwd = project()
    const { exitCode } = await cli.run([
      'apply', 'answer.md', '--no-git', '--report', 'r.xml', '--report', 'r.sarif', '--report', 'r.json',
    ], { cwd })
    expect(exitCode).toBe(1)
    const xml = readFileSync(join(cwd, 'r.xml'), 'utf8').replace(/time="[\d.]+"/g, 'time="0"')
    expect(xml).toContain('<testsuite name="hermes apply" tests="3" failures="1" errors="1" skipped="0" time="0">')
    expect(xml).toContain('    <testcase classname="answer.md" name="b1: fs.writeFile a.txt" time="0"/>\n')
    expect(xml).toContain('      <failure type="ENOENT" message="ENOENT: no such file or directory, fs.readFile \'b.txt\'">FAILED block b2 ')
    const sarif = JSON.parse(readFileSync(join(cwd, 'r.sarif'), 'utf8')) as { runs: [{ results: { ruleId: string }[] }] }
    expect(sarif.runs[0].results.map(({ ruleId }) => ruleId)).toEqual(['ENOENT', 'INVALID_TOOL_CALL'])
    expect(sarif.runs[0].results[0]).toMatchObject({
      locations: [{ physicalLocation: { artifactLocation: { uri: 'answer.md' }, region: { startLine: 5, endLine: 7 } } }],
    })
    expect(JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8'))).toMatchObject({ schemaVersion: 1, totalBlocks: 3 })
  })

  it.each([
    ['after the printed run', [], 'stdout'], ['on standard error beside JSON', ['--json'], 'stderr'],
    ['on standard error beside the reply', ['--reply'], 'stderr'],
  ] as const)('annotates on GitHub %s', async (_, flags, stream) => {
    const cwd = project()
    const run = await cli.run(['apply', 'answer.md', '--no-git', '--github', ...flags], { cwd })
    const lines = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('::'))
    expect(lines(run[stream])).toEqual([
      "::error file=answer.md,line=5,endLine=7,title=b2%3A fs.readFile b.txt failed::ENOENT: no such file or directory, fs.readFile 'b.txt'",
      expect.stringMatching(/^::error file=answer\.md,line=11,title=b3 could not be run::INVALID_TOOL_CALL: /),
    ])
    expect(lines(run[stream === 'stdout' ? 'stderr' : 'stdout'])).toEqual([])
  })

  it.each([
    ['that nothing was found of what was required', ['--require-blocks'], 'Only words.\n', 'No live block was found, and --require-blocks asks for one'],
  ])('say %s', async (_, flags, text, message) => {
    const cwd = tempDir()
    writeTree(cwd, { 'answer.md': text })
    const files = ['r.xml', 'r.md', 'r.json', 'r.sarif', 'r.html']
    const run = await cli.run(['apply', 'answer.md', '--no-git', '--github', '--json', ...flags, ...files.flatMap((file) => ['--report', file])], { cwd })
    expect(run.exitCode).toBe(1)
    expect(run.stderr).toContain(`::error file=answer.md,line=1,title=the run was stopped::RUN_STOPPED: ${message}\n`)
    expect(run.stderr).toContain(`hermes: ${message}\n  hermes parse says`)
    for (const file of files) expect(readFileSync(join(cwd, file), 'utf8'), file).toContain(message)
    expect(readFileSync(join(cwd, 'r.xml'), 'utf8')).toContain('tests="1" failures="0" errors="1"')
    for (const json of [run.stdout, readFileSync(join(cwd, 'r.json'), 'utf8')]) expect(JSON.parse(json)).toMatchObject({ success: false, code: 'NO_BLOCKS', error: message })
  })

  it.each([[[]], [['--json']]])('print a token masked where CI keeps the log, and whole elsewhere: %j', async (flags) => {
    const cwd = tempDir()
    const token = `ghp_${'a1B2'.repeat(9)}`
    writeTree(cwd, { 'answer.md': call('fs.readFile', { path: token }) })
    const printed = async (CI: string): Promise<string> => (
      (await cli.run(['apply', 'answer.md', '--no-git', ...flags], { cwd, env: { CI } })).stdout
    )
    expect(await printed('true')).toContain(`ghp_${'*'.repeat(36)}`)
    expect(await printed('true')).not.toContain(token)
    expect(await printed('')).toContain(token)
  })

  it('of standard input stand at no file', async () => {
    const cwd = project()
    const run = await cli.run(['apply', '--no-git', '--report', 'r.xml', '--report', 'r.html', '--github'], { cwd, input: ANSWER })
    expect(run.stdout).toContain('::error title=b2%3A fs.readFile b.txt failed::ENOENT: ')
    expect(readFileSync(join(cwd, 'r.xml'), 'utf8')).toContain('classname="hermes apply" name="b1: fs.writeFile a.txt"')
    expect(readFileSync(join(cwd, 'r.html'), 'utf8')).toContain('<!doctype html>')
  })

  it('leaves out the lines of a block that an earlier answer had: they are those of another file', async () => {
    const cwd = project()
    await cli.run(['apply', 'answer.md', '--no-git'], { cwd })
    writeTree(cwd, { 'second.md': call('fs.writeFile', { path: 'c.txt', content: 'x' }) })
    const { stdout } = await cli.run(['apply', 'second.md', '--no-git', '--continue', 'last', '--github', '--report', 'r.xml'], { cwd })
    expect(stdout.split('\n').filter((line) => line.startsWith('::'))).toEqual([
      expect.stringMatching(/^::error title=b2%3A fs\.readFile b\.txt failed::ENOENT: /),
    ])
    expect(readFileSync(join(cwd, 'r.xml'), 'utf8')).toContain('<testcase classname="hermes apply" name="b2: fs.readFile b.txt"')
  })

  it('lists every transcript of a replay as a test case', async () => {
    const cwd = tempDir()
    const turn = (answer: object): string => JSON.stringify({ conversations: [
      { from: 'gpt', value: call('fs.exists', { path: 'a' }) }, { from: 'tool', value: `<tool_response>${JSON.stringify(answer)}</tool_response>` },
    ] })
    const same = turn({ success: true, data: { exists: false } })
    writeTree(cwd, { 't.jsonl': [same, same.replace('"a"', '"b"'), turn({ success: true, data: { exists: true } })].join('\n') })
    const { stdout } = await cli.run(['replay', 't.jsonl', '--report', 'r.xml'], { cwd })
    const xml = readFileSync(join(cwd, 'r.xml'), 'utf8')
    expect([stdout, xml]).toEqual([expect.stringContaining('3 transcripts'), expect.stringContaining('tests="3" failures="1"')])
    expect(xml.match(/<testcase [^>]*name="[^"]*"/g)?.map((one) => one.replace(/.* name=/, ''))).toEqual(
      expect.arrayContaining(['"t.jsonl"', '"t.jsonl#2"', '"t.jsonl#3"']),
    )
  })
})
