/**
 * A process swaps a directory and a file for links that lead out of the root, in a tight loop, while a session reads,
 * writes, edits, lists, searches, copies, moves and deletes there: nothing outside may be read or touched. Then with
 * the check switched off (the module that holds directories is replaced in the bundle), which must escape: otherwise
 * the trial would prove nothing.
 *
 * Usage: node proj/trials/race.mjs [--operations N] [--seed N] [--seconds N] [--write]
 */
import { execFileSync, fork, spawn } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { rolldown } from 'rolldown'
import { randomFrom } from './random.mjs'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
const RESULTS = new URL('./results/race.json', import.meta.url)
const CODE = 'def inside():\n    return 1\n'
const BLOCKS = 50
/** In memory, where names change fastest, if there is such a place. */
const PLACE = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
/** In the content of each file outside, and in a name there. */
const MARK = 'outside-mark-7f3a'

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '1800' },
    write: { type: 'boolean', default: false },
  },
})
const operations = Number(values.operations)
const random = randomFrom(Number(values.seed))
const deadline = performance.now() + Number(values.seconds) * 1000

const cache = join(PROJECT, 'node_modules', '.cache')
mkdirSync(cache, { recursive: true })
const out = mkdtempSync(join(cache, 'trial-'))
try {
  const attackers = ['rename', ...(canExchange() ? ['exchange'] : [])]
  const figures = { seed: Number(values.seed), attackers, checked: {}, unchecked: {} }
  for (const attacker of attackers) {
    figures.checked[attacker] = await race(
      await load(true),
      attacker,
      Math.ceil(operations / attackers.length),
      Infinity,
    )
    figures.unchecked[attacker] = await race(await load(false), attacker, operations, 20)
  }
  console.log(JSON.stringify(figures, null, 2))
  if (values.write) writeFileSync(RESULTS, `${JSON.stringify(figures, null, 2)}\n`)
  const held = Object.values(figures.checked).every((one) => one.escapes === 0 && one.succeeded > 0 && one.refused > 0)
  const wouldShow = Object.values(figures.unchecked).some((one) => one.escapes > 0)
  process.exitCode = held && wouldShow ? 0 : 1
} finally {
  rmSync(out, { recursive: true, force: true })
}

/** The library, with or without the check. */
async function load(isChecked) {
  const file = join(out, isChecked ? 'checked.mjs' : 'unchecked.mjs')
  const bundle = await rolldown({
    cwd: PROJECT,
    input: join(PROJECT, 'proj', 'src', 'index.ts'),
    platform: 'node',
    external: [/^node:/, 'execa', '@vscode/ripgrep', 'typescript'],
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] }, mainFields: ['module', 'main'] },
    logLevel: 'silent',
    plugins: [
      {
        name: 'without-holding',
        resolveId: (source) =>
          !isChecked && source.endsWith('/held-directory.js')
            ? join(PROJECT, 'proj', 'trials', 'race-without-holding.ts')
            : null,
      },
    ],
  })
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  await bundle.close()
  return await import(pathToFileURL(file).href)
}

/** @param enough stops after so many escapes */
async function race({ Hermes }, attacker, count, enough) {
  const base = realpathSync(mkdtempSync(join(PLACE, 'hermes-race-')))
  plant(base)
  const before = shown(join(base, 'outside'))
  const figures = {
    operations: 0,
    succeeded: 0,
    refused: 0,
    codes: {},
    swaps: 0,
    read: 0,
    touched: 0,
    kept: 0,
    escapes: 0,
  }
  const names = ['swap', 'link', 'file.txt', 'file-link'].map((name) => join(base, 'root', name))
  const stop = startAttacker(attacker, names, (swaps) => {
    figures.swaps = swaps
  })
  try {
    const hermes = new Hermes({
      root: join(base, 'root'),
      relativePaths: true,
      gitCommit: false,
      policy: false,
      approve: () => 'once',
    })
    while (figures.operations < count && figures.escapes < enough && performance.now() < deadline) {
      const answer = Array.from({ length: BLOCKS }, (_, at) => block(figures.operations + at)).join('\n')
      const { results, fatalError } = await hermes.execute(answer)
      if (fatalError !== undefined) throw new Error(fatalError)
      for (const result of results) take(result, figures)
      if (shown(join(base, 'outside')) !== before) {
        figures.touched++
        rmSync(join(base, 'outside'), { recursive: true })
        plantOutside(base)
        if (shown(join(base, 'outside'), true) !== before) throw new Error('outside could not be made again')
      }
      figures.escapes = figures.read + figures.touched
    }
    await hermes[Symbol.asyncDispose]()
  } finally {
    await stop()
    figures.kept = marked(join(base, 'root'))
    figures.escapes = figures.read + figures.touched + figures.kept
    rmSync(base, { recursive: true, force: true, maxRetries: 5 })
  }
  return figures
}

function take({ params, ...result }, figures) {
  figures.operations++
  if (result.success) figures.succeeded++
  else {
    figures.refused++
    figures.codes[result.code] = (figures.codes[result.code] ?? 0) + 1
  }
  if (JSON.stringify(result).includes(MARK)) {
    figures.read++
    if (figures.read === 1) console.error(`${params.action}: ${JSON.stringify(result).slice(0, 300)}`)
  }
}

function plant(base) {
  for (const directory of ['root/swap/sub', 'root/kept']) mkdirSync(join(base, directory), { recursive: true })
  for (const name of ['swap/a.txt', 'swap/sub/a.txt', 'kept/a.txt', 'file.txt'])
    writeFileSync(join(base, 'root', name), 'inside\n')
  writeFileSync(join(base, 'root', 'swap', 'code.py'), CODE)
  plantOutside(base)
  symlinkSync('../outside', join(base, 'root', 'link'))
  symlinkSync('../outside/a.txt', join(base, 'root', 'file-link'))
}

function plantOutside(base) {
  mkdirSync(join(base, 'outside', 'sub'), { recursive: true })
  for (const name of ['a.txt', 'sub/a.txt', 'only-there.txt', `${MARK}.txt`])
    writeFileSync(join(base, 'outside', name), `inside ${MARK}\n`)
  writeFileSync(join(base, 'outside', 'code.py'), `${CODE}# inside ${MARK}\n`)
}

/** One of the operations, on a path that is being swapped; some write to a name, or read from one, that is not. */
function block(number) {
  const place = pick(['swap/a.txt', 'swap/sub/a.txt', 'file.txt'])
  const directory = pick(['swap', 'swap/sub'])
  const [action, params] = pick([
    () => ['file_write', { path: place, content: `inside ${number}` }],
    () => ['file_write', { path: `${directory}/new-${number % 50}.txt`, content: 'inside' }],
    () => ['file_append', { path: place, content: 'inside' }],
    () => ['file_replace_all_text', { path: place, old_text: 'inside', new_text: 'inside' }],
    () => ['edit_replace', { path: place, old_text: 'inside', new_text: 'inside' + number }],
    () => ['edit_replace', { path: `${directory}/new-${number % 50}.txt`, old_text: '', new_text: 'inside' }],
    () => [
      'file_insert',
      pick([
        { path: place, line: '1', new_text: 'inside' },
        { path: place, after: 'inside', new_text: 'inside too' },
      ]),
    ],
    () => ['file_write', { path: 'swap/code.py', content: CODE.split('\n') }],
    () => [
      pick(['symbol_replace', 'symbol_insert_before', 'symbol_insert_after']),
      {
        path: 'swap/code.py',
        symbol: 'inside',
        new_text: ['def inside():', `    return ${number}`],
      },
    ],
    () => [
      'apply_patch',
      {
        patch: [
          '*** Begin Patch',
          ...pick([
            [`*** Update File: ${place}`, '@@', '-inside', '+inside'],
            [`*** Add File: ${directory}/new-${number % 50}.txt`, '+inside'],
            ['*** Update File: kept/a.txt', `*** Move to: ${directory}/moved.txt`, '@@', '-inside', '+inside'],
            ['*** Delete File: swap/only-there.txt'],
          ]),
          '*** End Patch',
        ],
      },
    ],
    () => [
      'patch_unified',
      {
        patch: pick([
          [`--- a/${place}`, `+++ b/${place}`, '@@ -1 +1 @@', '-inside', '+inside'],
          [`diff --git a/${place} b/${place}`, 'old mode 100644', 'new mode 100755'],
          [
            `diff --git a/${place} b/kept/copy.txt`,
            'similarity index 100%',
            `copy from ${place}`,
            'copy to kept/copy.txt',
          ],
          [
            `diff --git a/${place} b/kept/moved.txt`,
            'similarity index 100%',
            `rename from ${place}`,
            'rename to kept/moved.txt',
          ],
        ]),
      },
    ],
    () => ['file_read', { path: place }],
    () => ['file_read', { path: place }],
    () => ['file_read_numbered', { path: place, lines: '1' }],
    () => ['ls', { path: directory }],
    () => ['grep', { pattern: 'inside', path: pick(['swap', 'swap/sub', '.']) }],
    () => ['glob', { pattern: '**/*', base_path: directory }],
    () => ['file_move', { old_path: 'kept/moved.txt', new_path: `${directory}/moved.txt` }],
    () => ['file_move', { old_path: `${directory}/moved.txt`, new_path: 'kept/moved.txt' }],
    () => ['file_delete', { path: pick([`${directory}/new-${number % 50}.txt`, 'swap/only-there.txt']) }],
    () => ['dir_create', { path: `${directory}/d${number % 50}` }],
    () => ['dir_delete', { path: `${directory}/d${number % 50}` }],
    () => ['fs.copyFile', { sourcePath: place, destinationPath: `kept/copy-${number % 50}.txt`, overwrite: 'true' }],
    () => ['fs.copyFile', { sourcePath: 'kept/a.txt', destinationPath: place, overwrite: 'true' }],
    ...(number % 40 === 0 ? [() => ['search_files', { query: 'inside', path: 'swap' }]] : []),
  ])()
  const id = number.toString(36).padStart(4, '0')
  const lines = Object.entries({ action, ...params }).map(([key, value]) =>
    Array.isArray(value)
      ? [`${key} = <<'EOT_SHAM_${id}'`, ...value, `EOT_SHAM_${id}`].join('\n')
      : `${key} = ${JSON.stringify(value)}`,
  )
  return [`#!SHAM [@three-char-SHA-256: ${id}]`, ...lines, `#!END_SHAM_${id}`, ''].join('\n')
}

function startAttacker(kind, names, onSwaps) {
  const child =
    kind === 'exchange'
      ? spawn('python3', [fileURLToPath(new URL('./race-attacker.py', import.meta.url)), ...names], {
          stdio: ['ignore', 'pipe', 'inherit'],
        })
      : fork(fileURLToPath(new URL('./race-attacker.mjs', import.meta.url)), names)
  child.on('message', onSwaps)
  child.stdout?.on('data', (text) => onSwaps(Number(String(text).trim().split('\n').at(-1))))
  const ended = new Promise((done) => child.once('exit', done))
  return async () => {
    child.kill('SIGKILL')
    await ended
  }
}

/** Whether this machine has Python and a file system whose names can be exchanged in one step. */
function canExchange() {
  const directory = mkdtempSync(join(PLACE, 'hermes-race-'))
  try {
    for (const name of ['a', 'b']) writeFileSync(join(directory, name), name)
    execFileSync(
      'python3',
      [
        '-c',
        [
          'import ctypes, sys',
          'x = ctypes.CDLL(None).renameat2',
          'sys.exit(0 if x(-100, sys.argv[1].encode(), -100, sys.argv[2].encode(), 2) == 0 else 1)',
        ].join('\n'),
        join(directory, 'a'),
        join(directory, 'b'),
      ],
      { stdio: 'ignore' },
    )
    return true
  } catch (error) {
    if (error.status === undefined && error.code === undefined) throw error
    return false
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Names, modes, links and contents of all that is in a directory. */
function shown(directory) {
  return JSON.stringify(
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => {
        const path = join(directory, name)
        const stats = lstatSync(path)
        return [
          name,
          stats.mode,
          stats.nlink,
          stats.isFile() ? readFileSync(path, 'utf8') : stats.isSymbolicLink() ? readlinkSync(path) : '',
        ]
      }),
  )
}

/** Files below the root, of hermes' own journal too, that hold what is outside. */
function marked(directory) {
  return readdirSync(directory, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return sum + marked(path)
    return sum + (entry.isFile() && readFileSync(path, 'latin1').includes(`inside ${MARK}`) ? 1 : 0)
  }, 0)
}

function pick(choices) {
  return choices[Math.floor(random() * choices.length)]
}
