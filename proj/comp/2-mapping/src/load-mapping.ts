import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { readCheckedYaml, type CheckedYaml } from '../../2-config/src/index.js'
import { HermesError, isRecord, parseJson, unlessThrown } from '../../0-contracts/src/index.js'
import { nearest } from '../../0-text/src/index.js'
import type { ParameterDefinitions } from '../../1-registry/src/index.js'
import { ToolMapping, type Rule } from './mapping.js'
import { CODE, HINT, readSource } from './mapping-source.js'
import { SHIPPED } from './shipped/index.js'
import { MAPPING_FILE, type MappingFile, type ResultData, type RuleData } from './mapping-schema.js'
import type { KnownParameters, NormalizeRule, Pattern, ResultRule } from './mapping-types.js'

/**
 * Reads mappings, each on top of the previous; for a tool in several, the last one counts.
 *
 * @param names of mappings that ship with hermes, or paths of files
 * @param parametersOf verbs' parameters, to check the rules
 * @param folder that must contain the files, and those they extend
 * @throws HermesError `INVALID_MAPPING` with file, line and column; `POLICY_DENIED` for a file outside the folder
 */
export async function loadMapping(
  names: readonly string[], parametersOf: KnownParameters, folder?: string,
): Promise<ToolMapping> {
  const loader = await openLoader(parametersOf, folder)
  for (const name of names) await loader.add(name, process.cwd(), [])
  const shipped = names.every((name) => Object.hasOwn(SHIPPED, name)) ? names : undefined
  return new ToolMapping(loader, loader.hash.digest('hex'), shipped)
}

/**
 * Reads a self-contained mapping (`ToolMapping.file`).
 *
 * @throws HermesError `INVALID_MAPPING`
 */
export async function mappingOfText(text: string, parametersOf: KnownParameters): Promise<ToolMapping> {
  const loader = await openLoader(parametersOf)
  await loader.addText(text)
  return new ToolMapping(loader, loader.hash.digest('hex'))
}

async function openLoader(parametersOf: KnownParameters, folder?: string): Promise<Loader> {
  return new Loader(parametersOf, folder, await import('re2js'))
}

class Loader {
  readonly tools = new Map<string, readonly Rule[]>()
  readonly normalize: NormalizeRule[] = []
  readonly ignored = new Set<string>()
  /** Hash of all texts read, in order. */
  readonly hash = createHash('sha256')

  constructor(
    private readonly parametersOf: KnownParameters, private readonly folder: string | undefined,
    private readonly re2js: typeof import('re2js'),
  ) {}

  /** @param above names of the mappings that extend it, outermost first */
  async add(name: string, directory: string, above: readonly string[], blame?: HermesError): Promise<void> {
    const { id, text, label, base } = readSource(name, directory, blame, this.folder)
    if (above.includes(id)) {
      const round = [...above.slice(above.indexOf(id)), id].map((each) => basename(each)).join(' → ')
      throw new HermesError(CODE, `${label}: extends itself: ${round}`, { hint: 'Take one of them out of extends.' })
    }
    this.hash.update(`${text.length} ${text}`)
    const yaml = await readCheckedYaml({ text, name: label, code: CODE, hint: HINT }, MAPPING_FILE)
    for (const [index, parent] of (yaml.values.extends ?? []).entries()) {
      await this.add(
        parent, base, [...above, id], yaml.error(['extends', index], `there is no mapping and no file ${parent}`),
      )
    }
    await this.#take(yaml)
  }

  /** Adds an untrusted text, which may not refer to files. */
  async addText(text: string): Promise<void> {
    this.hash.update(text)
    const yaml = await readCheckedYaml({ text, name: 'mapping', code: CODE, hint: HINT }, MAPPING_FILE)
    if (yaml.values.extends) throw yaml.error(['extends'], 'it has to stand alone')
    await this.#take(yaml)
  }

  async #take(yaml: CheckedYaml<MappingFile>): Promise<void> {
    const { tools = {}, normalize = [], ignore = [] } = yaml.values
    for (const name of ignore) this.ignored.add(name)
    for (const name of Object.keys(tools)) {
      const rules: Rule[] = []
      for (const { rule, path } of followAliases(name, yaml, this.tools)) {
        rules.push(path === undefined ? rule as Rule : await this.#compileRule(rule as RuleData, path, yaml))
      }
      this.tools.set(name, rules)
    }
    for (const [index, { pattern, with: replacement, in: where = 'output' }] of normalize.entries()) {
      const compiled = this.#compile(pattern, ['normalize', index, 'pattern'], yaml)
      this.normalize.push({ pattern: compiled, written: pattern, with: replacement, in: where })
    }
  }

  async #compileRule(
    rule: RuleData, path: readonly (string | number)[], yaml: CheckedYaml<MappingFile>,
  ): Promise<Rule> {
    const { same_as: _, result, ...rest } = rule
    const kinds = [rest.verb, rest.skip, rest.unmapped, rest.opens].filter((kind) => kind !== undefined)
    if (kinds.length !== 1) throw yaml.error(path, 'a case needs one of verb, skip, unmapped, opens and same_as')
    if ((rest.opens === undefined) !== (rest.as === undefined)) throw yaml.error(path, 'opens and as go together')
    let parameters: ParameterDefinitions = {}
    if (rest.verb !== undefined) {
      const verb = await this.parametersOf(rest.verb)
      if (!verb) throw yaml.error([...path, 'verb'], `there is no verb ${rest.verb}`)
      parameters = verb
      const known = Object.keys(verb)
      const wrong = Object.keys(rest.arguments ?? {}).find((parameter) => !known.includes(parameter))
      if (wrong !== undefined) {
        const meant = nearest(wrong, known)
        const instead = meant === undefined ? `it has ${known.join(', ')}` : `did you mean ${meant}?`
        throw yaml.error([...path, 'arguments', wrong], `${rest.verb} has no parameter ${wrong}; ${instead}`)
      }
    }
    return {
      ...rest, parameters, written: { ...rest, ...(result && { result }) },
      result: compileResultRule(result, (pattern) => this.#compile(pattern, [...path, 'result'], yaml)),
    }
  }

  /** @throws HermesError `INVALID_MAPPING` with the place of what is no pattern */
  #compile(written: string, path: readonly (string | number)[], yaml: CheckedYaml<MappingFile>): Pattern {
    const { RE2JS, RE2JSException } = this.re2js
    try {
      const compiled = RE2JS.compile(written, RE2JS.MULTILINE)
      return {
        isFoundIn: (text) => compiled.matcher(text).find(),
        replaceAll: (text, replacement) => compiled.matcher(text).replaceAll(replacement),
      }
    } catch (error) {
      if (!(error instanceof RE2JSException)) throw error
      throw yaml.error(path, `not a pattern: ${error.message}`)
    }
  }
}

interface PlacedRule {
  rule: RuleData | Rule
  /** `undefined` for a rule of a mapping read before, which is compiled. */
  path: readonly (string | number)[] | undefined
}

/** The cases of a tool, those it shares with another one in their place. @throws HermesError where it would go round */
function followAliases(
  name: string, yaml: CheckedYaml<MappingFile>, known: ReadonlyMap<string, readonly Rule[]>,
  above: readonly string[] = [],
): PlacedRule[] {
  const written = yaml.values.tools?.[name]
  const rules = Array.isArray(written) ? written : written === undefined ? [] : [written]
  return rules.flatMap((rule, index): PlacedRule[] => {
    const path = Array.isArray(written) ? ['tools', name, index] : ['tools', name]
    const target = rule.same_as
    if (target === undefined) return [{ rule, path }]
    if (Object.keys(rule).length > 1) throw yaml.error(path, 'same_as stands alone')
    const trail = [...above, name]
    if (trail.includes(target)) {
      const round = [...trail.slice(trail.indexOf(target)), target].join(' → ')
      throw yaml.error([...path, 'same_as'], `${name} is the same as itself: ${round}`)
    }
    if (yaml.values.tools && Object.hasOwn(yaml.values.tools, target)) return followAliases(target, yaml, known, trail)
    const before = known.get(target)
    if (!before) throw yaml.error([...path, 'same_as'], `there is no tool ${target}`)
    return before.map((each) => ({ rule: each, path: undefined }))
  })
}

function compileResultRule(data: ResultData = {}, compile: (pattern: string) => Pattern): ResultRule {
  const { text, unwrap, after, before, fails, answers_by_code: answering = [] } = data
  const failures = fails?.map(compile)
  return {
    textOf: (value) => (text === undefined ? undefined : text.map((field) => fieldText(value, field)).join('')),
    unwrap(recorded) {
      const inner = unwrap === undefined ? recorded : fieldOfJson(recorded, unwrap) ?? recorded
      const at = after === undefined ? -1 : inner.indexOf(after)
      const start = at === -1 ? 0 : at + (after?.length ?? 0)
      // Search the harness's text at the end, since the output itself may contain the same words.
      const end = before === undefined ? -1 : inner.lastIndexOf(before)
      return inner.slice(start, end < start ? undefined : end)
    },
    failed: (recorded) => (failures === undefined ? undefined
      : failures.some((pattern) => pattern.isFoundIn(recorded))),
    answersByCode: (command) => answering.includes(lastProgram(command) ?? ''),
  }
}

/** The program of the last command in a line, whose exit code counts; quoted operators are taken for operators. */
function lastProgram(line: string): string | undefined {
  const words = line.split(/[|&;\n]+/).findLast((command) => command.trim() !== '')?.trim().split(/\s+/)
  return words?.find((word) => !/^\w+=/.test(word))
}

/** A field of a result as text (lists: one item a line); `.` is the result itself. */
function fieldText(data: unknown, field: string): string {
  const value = field === '.' ? data : isRecord(data) ? data[field] : undefined
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')
  return value === undefined ? '' : JSON.stringify(value)
}

function fieldOfJson(text: string, field: string): string | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  const value: unknown = unlessThrown(RangeError, () => parseJson(text), undefined)
  const inner = isRecord(value) ? value[field] : undefined
  return typeof inner === 'string' ? inner : undefined
}
