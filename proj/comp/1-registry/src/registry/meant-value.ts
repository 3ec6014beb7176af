import { isRecord, parseJson } from '../../../0-contracts/src/index.js'
import type { ParameterDefinition } from './parameters.js'
import { absoluteForm, type PathRules } from './path-format.js'
import { convertText } from './sham-action.js'

/** A value of the wrong type, form or case as it was meant, where it has one meaning; else `undefined`. */
export function meantValue(value: unknown, definition: ParameterDefinition | undefined, rules: PathRules): unknown {
  if (!definition) return undefined
  const { type, format, values = [], items } = definition
  if (typeof value === 'number' || typeof value === 'boolean') return type === 'string' ? String(value) : undefined
  if (typeof value !== 'string') return undefined
  switch (type) {
    case 'integer':
    case 'number':
    case 'boolean': {
      const converted = convertText(type === 'boolean' ? value.toLowerCase() : value, definition)
      return typeof converted === 'string' ? undefined : converted
    }
    case 'enum': {
      const like = values.filter((each) => each.toLowerCase() === value.trim().toLowerCase())
      return like.length === 1 ? like[0] : undefined
    }
    case 'array': {
      const parsed = parseJson(value)
      if (Array.isArray(parsed)) return parsed
      return items === 'string' && /^[^\s,;[\]{}"']+$/.test(value) ? [value] : undefined
    }
    case 'object': {
      const parsed = parseJson(value)
      return isRecord(parsed) ? parsed : undefined
    }
    case 'string': return format === 'absolute_path' && !/(?:^|\/)\.\.(?:\/|$)/.test(value)
      ? absoluteForm(value, rules) : undefined
  }
}
