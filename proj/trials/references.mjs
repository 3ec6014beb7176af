/**
 * How far references agree with language servers: `npm run trial:references`. Samples definitions, and compares what
 * is found for each with what tsserver (of TypeScript) and pyright (installed by npm into a temporary directory) find:
 * in this repository, the TypeScript sources of an npm package, and Debian packages of Python. `--write` keeps the
 * figures in results/references.json; `--count N` samples fewer, `--only NAME` takes one corpus, `--show` prints
 * differences; `--python DIR` takes a directory of Python instead of Debian's packages.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { copySync, removeSync } from 'fs-extra/esm'
import { bundleEntry } from './bundle-entry.mjs'
import { Pyright, TsServer } from './references/language-servers.mjs'

const { values: flags } = parseArgs({
  options: {
    write: { type: 'boolean' }, count: { type: 'string', default: '200' }, only: { type: 'string' },
    show: { type: 'boolean' }, python: { type: 'string' },
  },
})
const SEED = 11
const MOST_CALLS = 20
const PYRIGHT = 'pyright@1.1.414'
const DEBIAN = ['werkzeug', 'flask', 'click', 'scrapy', 'sphinx', 'docutils']
const root = fileURLToPath(new URL('../..', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'references-'))
try {
  const { codeOf, contextFor, randomNumbers, resolveReferences, sample } = await import(
    await bundleEntry('references-entry.ts')
  )
  const results = { seed: SEED, corpora: {} }
  for (const corpus of corpora()) {
    if (flags.only !== undefined && corpus.name !== flags.only) continue
    const directory = corpus.directory()
    if (directory === undefined) continue
    results.corpora[corpus.name] = await measured({ ...corpus, directory })
    process.stdout.write(`${corpus.name}: ${JSON.stringify(results.corpora[corpus.name], null, 2)}\n`)
  }
  if (flags.write) {
    const file = new URL('results/references.json', import.meta.url)
    // Of corpora that were not measured now the figures stay.
    const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).corpora : {}
    const all = { ...results, corpora: { ...before, ...results.corpora } }
    writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`)
  }
  const isBelow = ([name, { resolved }]) => resolved.recall < (name.startsWith('python') ? 0.8 : 0.95)
  if (Object.entries(results.corpora).some(isBelow)) process.exitCode = 1

  async function measured({ directory, languages, server: start }) {
    const context = contextFor(directory)
    // As many calls of one session.
    context.session.kept = new Map()
    const { files, definitions, places } = await codeOf(context, languages)
    const isUsed = (definition) => (places.get(definition.name)?.length ?? 0) > 1
    const sampled = sample(definitions.filter(isUsed), Number(flags.count), randomNumbers(SEED))
    const server = await start(context.session.root)
    const sum = { truth: 0, resolved: 0, right: 0, byName: 0, byNameRight: 0, unrelated: 0, unrelatedWrong: 0 }
    const differences = []
    const times = []
    const processor = []
    let again = 0
    for (const definition of sampled) {
      const own = keyOf(definition)
      const truth = new Set((await server.references(definition)).map(keyOf).filter((key) => key !== own))
      const candidates = places.get(definition.name)
      const { references, unrelated } = await untilDecided([definition], candidates, context)
      const resolved = references.filter((each) => each.resolved).map(keyOf)
      const byName = references.filter((each) => !each.resolved).map(keyOf)
      sum.truth += truth.size
      sum.resolved += resolved.length
      sum.right += resolved.filter((key) => truth.has(key)).length
      sum.byName += byName.length
      sum.byNameRight += byName.filter((key) => truth.has(key)).length
      sum.unrelated += unrelated
      const missed = [...truth].filter((key) => !resolved.includes(key) && !byName.includes(key))
      sum.unrelatedWrong += missed.length
      const extra = resolved.filter((key) => !truth.has(key))
      const unsure = byName.filter((key) => truth.has(key))
      const short = (key) => key.replace(`${context.session.root}/`, '')
      const list = (title, keys) => (
        keys.length > 0 ? [`  ${title} ${keys.length}: ${keys.slice(0, 4).map(short).join(' ')}`] : []
      )
      const lines = [...list('missed', missed), ...list('by name', unsure), ...list('too many', extra)]
      if (lines.length > 0) differences.push(`${definition.name} ${definition.kind} ${short(own)}`, ...lines)
    }
    await server.end()

    /** A call has limited time: as a model would, calls again as long as something is undecided. */
    async function untilDecided(...question) {
      for (let calls = 1; ; calls++) {
        const [began, cpu] = [performance.now(), process.cpuUsage()]
        const answer = await resolveReferences(...question)
        times.push(performance.now() - began)
        const { user, system } = process.cpuUsage(cpu)
        processor.push((user + system) / 1000)
        if (calls > 1) again++
        if (answer.undecided === 0 || calls === MOST_CALLS) return answer
      }
    }

    if (flags.show) process.stdout.write(`${differences.join('\n')}\n`)
    for (const each of [times, processor]) each.sort((a, b) => a - b)
    const share = (part, whole) => Math.round(1000 * part / whole) / 1000
    return {
      files, definitions: sampled.length, server: server.name, references: sum.truth,
      resolved: { count: sum.resolved, precision: share(sum.right, sum.resolved), recall: share(sum.right, sum.truth) },
      by_name: {
        count: sum.byName, precision: share(sum.byNameRight, sum.byName), of_all: share(sum.byNameRight, sum.truth),
      },
      left_out: { count: sum.unrelated, wrongly: sum.unrelatedWrong },
      median_ms: Math.round(times[Math.floor(times.length / 2)] ?? 0), slowest_ms: Math.round(times.at(-1) ?? 0),
      calls: times.length, calls_to_go_on: again,
      median_processor_ms: Math.round(processor[Math.floor(processor.length / 2)] ?? 0),
      most_processor_ms: Math.round(processor.at(-1) ?? 0),
    }
  }
} finally {
  removeSync(work)
}

function corpora() {
  const typescript = {
    languages: ['typescript', 'tsx', 'javascript'], server: (directory) => TsServer.start(root, directory),
  }
  return [
    { ...typescript, name: 'typescript: this repository', directory: () => root },
    {
      ...typescript, name: 'typescript: ajv',
      directory: () => {
        const directory = join(work, 'ajv')
        copySync(join(root, 'proj', 'node_modules', 'ajv', 'lib'), join(directory, 'lib'))
        writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({
          compilerOptions: { module: 'ESNext', moduleResolution: 'bundler', resolveJsonModule: true, noEmit: true },
          include: ['lib'],
        }))
        return directory
      },
    },
    {
      name: `python: ${flags.python ?? DEBIAN.join(', ')}`,
      languages: ['python'],
      directory: pythonSources,
      server: (directory) => {
        const place = ensured(join(work, 'pyright'))
        writeFileSync(join(place, 'package.json'), '{}')
        const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', PYRIGHT]
        execFileSync('npm', install, { cwd: place, stdio: 'ignore' })
        return Pyright.start(place, directory)
      },
    },
  ]
}

/** `undefined`, said why, where the packages cannot be had. */
function pythonSources() {
  const directory = ensured(join(work, 'python'))
  if (flags.python !== undefined) {
    copySync(flags.python, directory)
    return directory
  }
  try {
    const packages = ensured(join(work, 'packages'))
    const names = DEBIAN.map((name) => `python3-${name}`)
    execFileSync('apt-get', ['download', ...names], { cwd: packages, stdio: 'ignore' })
    execFileSync('sh', ['-c', 'for each in *.deb; do dpkg-deb -x "$each" unpacked; done'], { cwd: packages })
    copySync(join(packages, 'unpacked', 'usr', 'lib', 'python3', 'dist-packages'), directory)
    return directory
  } catch (error) {
    process.stdout.write(`no Python sources: ${error instanceof Error ? error.message : String(error)}\n`)
    return undefined
  }
}

function ensured(directory) {
  mkdirSync(directory, { recursive: true })
  return directory
}

function keyOf({ path, line, column }) {
  return `${path}:${line}:${column}`
}
