/** Seed 004 NFR-015 to 017: compiling and validating the schemas of every verb, and their size. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Bench } from 'tinybench'
import { argsJsonSchema, resultJsonSchema, validateCall, VerbRegistry } from '../../dist/core-node.js'
import { VERBS } from '../../dist/index.js'

const rules = { relativePaths: true, root: '/', rootAliases: [] }
/** As long as `write_file` takes it. */
const LARGEST = 'é'.repeat(1_048_576)

export default async function schemas() {
  const verbs = await new VerbRegistry(VERBS).loadAll()
  // All that a program does for the first time is slow once: of the verbs the first one pays for it.
  const [cold, ...first] = verbs.map(verb => timed(() => judge(verb)))
  const validators = new Map()
  const rounds = Array.from({ length: 5 }, () => {
    const ajv = new Ajv2020()
    // Its own meta-schema.
    ajv.compile({ type: 'object' })
    return verbs.map(verb => timed(() => validators.set(verb.name, ajv.compile(argsJsonSchema(verb)))))
  })
  const compiled = verbs.map((_, index) => summary(rounds.map(round => round[index]))[1])

  const bench = new Bench({ time: 40, warmupTime: 10 })
  for (const verb of verbs) {
    bench.add(`hermes ${verb.name}`, () => judge(verb))
    bench.add(`ajv ${verb.name}`, () => validators.get(verb.name)(verb.examples[0]))
  }
  const writer = verbs.find(({ name }) => name === 'write_file')
  if (writer) bench.add('largest', () => validateCall(writer, 'envelope', { path: 'a', content: LARGEST }, rules))
  await bench.run()
  const times = prefix => bench.tasks.filter(({ name }) => name.startsWith(prefix)).map(latency)

  const documents = Object.fromEntries(verbs.map(verb => [
    verb.name, { arguments: argsJsonSchema(verb), result: resultJsonSchema(verb) },
  ]))
  return [
    ...spread('compile (derive the JSON Schema, ajv)', compiled, '< 10 ms each'),
    { name: 'first validation of all by hermes', value: cold, unit: 'ms', target: '< 10 ms' },
    ...spread('first validation of each other verb', first, '< 10 ms each'),
    ...spread('validate an example', times('hermes '), '< 1 ms each', times('ajv ')),
    ...times('largest').map(value => (
      { name: 'validate write_file, 1,048,576 characters', value, unit: 'ms', target: '< 1 ms' }
    )),
    {
      name: `JSON Schemas of ${verbs.length} verbs, together`, value: JSON.stringify(documents).length / 1000,
      unit: 'KB', target: '< 500 KB',
    },
  ]

  function judge(verb) {
    const { ok } = validateCall(verb, 'envelope', verb.examples[0], rules)
    if (!ok) throw new Error(`${verb.name}: its example is not valid`)
  }
}

/** The slowest and the median. */
function spread(name, values, target, against) {
  const [slowest, middle] = summary(values)
  const [otherSlowest, otherMiddle] = against ? summary(against) : []
  return [
    { name: `${name}: slowest`, value: slowest, unit: 'ms', ...(against && { against: otherSlowest }), target },
    { name: `${name}: median`, value: middle, unit: 'ms', ...(against && { against: otherMiddle }) },
  ]
}

function summary(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return [sorted.at(-1), sorted[Math.floor(sorted.length / 2)]]
}

function timed(run) {
  const start = performance.now()
  run()
  return performance.now() - start
}

/** Mean of one call in milliseconds. */
function latency(task) {
  return task.result.latency.mean
}
