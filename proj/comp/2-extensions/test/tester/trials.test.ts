import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { testExtension, type Finding } from '../../src/index.js'
import { PlayedExtension, type PlayedOptions } from '../../src/tester/played-extension.js'
import { Fault } from '../../src/tester/strict-frames.js'
import { TRIALS } from '../../src/tester/trials.js'

const template = readFileSync(fileURLToPath(new URL('../../../../../examples/extensions/template/extension.py', import.meta.url)), 'utf8')
const TEXT = '#!SHAM [@three-char-SHA-256: abc]\naction = "file_read"  \npath = "/w/größer 🙂.txt"\n#!END_SHAM_abc\n'

function optionsFor(source: string, limitMs: number, root = tempDir()): PlayedOptions {
  const script = join(root, 'extension.py')
  writeFileSync(script, source)
  return { name: 'tried', command: ['python3', script], cwd: root, root, env: process.env, text: TEXT, limitMs }
}

async function findingsOf(options: PlayedOptions, command?: string): Promise<Finding[]> {
  const findings: Finding[] = []
  for await (const finding of testExtension(options, command, new AbortController().signal)) findings.push(finding)
  return findings
}

it('finds nothing wrong with the extension that hermes ext new writes', async () => {
  const findings = await findingsOf(optionsFor(template, 20_000), 'strip')
  expect(findings.filter(({ outcome }) => outcome !== 'right')).toEqual([])
  expect(findings).toHaveLength(TRIALS.length)
})

it('says of one that does not speak the protocol only that', async () => {
  const [first, ...others] = await findingsOf(optionsFor('print("hello", flush=True)\nimport time; time.sleep(60)\n', 300))
  expect(first).toMatchObject({ outcome: 'wrong', message: 'It wrote "hello\\n" where "Content-Length: N\\r\\n\\r\\n" and N bytes of JSON belong' })
  expect(others.every(({ outcome }) => outcome === 'left out')).toBe(true)
})

const WRITES = template.slice(template.indexOf('    body = '), template.indexOf('        sys.stdout.buffer.flush()'))
/** Slips that authors make: what the template has, what one writes instead, who notices, and what is said. */
const SLIPS: [slip: string, right: string, wrong: string, trial: RegExp, message: string, command?: string][] = [
  ['prints for people', 'outcome = {"executionId"', 'print("working", flush=True); outcome = {"executionId"', /says once/, 'It wrote "working\\n'],
  ['counts characters', WRITES, WRITES.replace('}).encode', '}, ensure_ascii=False).encode').replace('len(body)', 'len(body.decode("utf-8"))'), /says once/, 'bytes are no JSON object', 'strip'],
  ['ends the JSON with a line break', '%d\\r\\n\\r\\n%s"', '%d\\r\\n\\r\\n%s\\n"', /gives ids back/, 'It wrote "\\n" where'],
  ['takes ids for numbers', 'write({"id": message["id"], "result": result})', 'write({"id": len(str(message["id"])), "result": result})', /gives ids back/, 'It did not answer initialize within'],
  ['takes lengths as characters', 'sys.stdin.buffer.read(length or 0).decode("utf-8")', 'sys.stdin.read(length or 0)', /as bytes/, 'It ended and did not answer hermes/noSuchMethod'],
  ['answers nothing that it does not know', 'elif "id" in message:', 'elif False:', /refuses methods/, 'It did not answer hermes/noSuchMethod within'],
  ['answers everything', '"error": {"code": -32601, "message": "Unknown method: " + method}', '"result": {}', /refuses methods/, 'It did not refuse a method that nobody has, but answered "a result"'],
  ['hangs on what it cannot read', '        return None\n\n\ndef ask', '        threading.Event().wait()\n\n\ndef ask', /no JSON/, 'It did not end within 5 s after a broken frame'],
  ['never says that it is done', 'write({"method": "command/finished"', 'len({"method": "command/finished"', /says once/, 'It did not say by command/finished that check is done (executionId 1) within'],
  ['says it twice', WRITES, WRITES.replace('(len(body), body))', '(len(body), body) * (2 if message.get("method") == "command/finished" else 1))'), /says once/, 'It said twice that check is done'],
  ['waits for its answer where nobody reads it', 'threading.Thread(target=execute, args=(message["params"],), daemon=True).start()', 'execute(message["params"])', /^says once/, 'It did not say by command/finished that check is done'],
  ['sends what is no request', '"editor/getMessage", format="json"', '"editor/getText", format="json"', /says once/, 'It sent the request "editor/getText", which hermes does not know'],
  ['sends params that do not fit', '"editor/getMessage", format="json"', '"editor/getMessage", format="yaml"', /says once/, 'The params of its editor/getMessage do not fit: Invalid params: format: '],
  ['dies of a refusal', 'except Exception as error:', 'except KeyError as error:', /requests are refused/, 'It did not say by command/finished that check is done'],
  ['stays after shutdown', '"result": {}})\n            return', '"result": {}})\n            threading.Event().wait()', /comes at once/, 'It did not end within 5 s after shutdown'],
  ['stays when hermes is gone', 'return  # hermes is gone', 'threading.Event().wait()', /standard input ends/, 'It did not end within 5 s after the end of its standard input'],
]

describe('notices an extension that', () => {
  it.concurrent.for(SLIPS)('%s', async ([, right, wrong, trial, message, command], { onTestFinished }) => {
    expect(template).toContain(right)
    const found = TRIALS.find(({ name }) => trial.test(name))
    // What never comes is not waited for; what does come has all the time it takes.
    const limitMs = message.startsWith('It did not') ? 3000 : 60_000
    const extension = await PlayedExtension.start(optionsFor(template.replace(right, wrong), limitMs, tempDir(onTestFinished)))
    try {
      const failure = await found?.play(extension, { command }).then(() => undefined, (error: unknown) => error)
      expect(failure).toBeInstanceOf(Fault)
      expect((failure as Fault).message).toContain(message)
    } finally {
      await extension.kill()
    }
  })
})
