import type { CheckedYaml } from '../../2-config/src/index.js'
import type { Rule } from './mapping.js'
import type { MappingFile, RuleData } from './mapping-schema.js'

interface PlacedRule {
  rule: RuleData | Rule
  /** `undefined` for a rule of a mapping read before, which is compiled. */
  path: readonly (string | number)[] | undefined
}

/** The cases of a tool, those it shares with another one in their place. @throws HermesError where it would go round */
export function followAliases(
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
