import type { Expression, Scope } from './python-scopes.js'
import { asClass, BUILTINS, classAround, distinct, type Value } from './python-values.js'

const UNKNOWN_VALUE: Value = { kind: 'unknown' }

interface ValueSource {
  evaluate: (expression: Expression) => Value[]
  instancesOf: (type: Expression) => Value[]
  elements: (value: Value) => Value[]
  superOf: (owner: Scope) => Value[]
}

/** Result of calling one of Python's built-in functions; `undefined` for those without special treatment. */
export function callBuiltin(
  name: string, args: readonly Expression[], scope: Scope, evaluator: ValueSource,
): Value[] | undefined {
  const [first, second] = args
  switch (name) {
    case 'super': {
      const owner = classAround(scope)
      return owner ? evaluator.superOf(owner) : []
    }
    case 'type':
      return args.length === 1 && first ? evaluator.evaluate(first).flatMap((value): Value[] => (
        value.kind === 'instance' ? [asClass(value)] : value.kind === 'external' ? [value] : []
      )) : undefined
    case 'cast': return first && second ? evaluator.instancesOf(first) : []
    case 'next':
    case 'max':
    case 'min':
      return first ? evaluator.evaluate(first).flatMap((value) => evaluator.elements(value)) : []
    case 'list':
    case 'sorted':
    case 'reversed':
    case 'set':
    case 'frozenset':
    case 'tuple':
    case 'iter': {
      const parts = first ? [evaluator.evaluate(first).flatMap((value) => evaluator.elements(value))] : []
      return [{ kind: 'external', module: BUILTINS, name: name === 'tuple' ? 'list' : name, isResult: true, parts }]
    }
    case 'filter':
      return second ? [listOf(evaluator.evaluate(second).flatMap((value) => evaluator.elements(value)))] : []
    case 'enumerate':
    case 'zip': {
      const parts = args.map((arg) => evaluator.evaluate(arg).flatMap((value) => evaluator.elements(value)))
      const int: Value = { kind: 'external', module: BUILTINS, name: 'int', isResult: true }
      return [listOf([tupleOf(name === 'zip' ? parts : [[int], parts[0] ?? []])])]
    }
    default: return undefined
  }
}

function tupleOf(parts: Value[][]): Value {
  return { kind: 'external', module: BUILTINS, name: 'tuple', isResult: true, parts }
}

function listOf(values: readonly Value[]): Value {
  return { kind: 'external', module: BUILTINS, name: 'list', isResult: true, parts: [distinct(values)] }
}

/** Result of calling something external: external, unless it may be one of its arguments. */
export function callOutside(
  value: Value & { kind: 'external' }, args: readonly Expression[], evaluator: ValueSource,
): Value[] {
  const { module, name, parts } = value
  if (parts && parts.length > 0) {
    const [first = [], second] = parts
    switch (name) {
      case 'values': return [listOf(second ?? first)]
      case 'keys': return [listOf(first)]
      case 'items':
        return [listOf([tupleOf([first, second ?? []])])]
      case 'get':
      case 'pop':
      case 'setdefault':
      case 'popleft':
      case '__getitem__':
      case 'result':
        return second ?? first
      case 'popitem': return [tupleOf([first, second ?? []])]
      case 'copy': return [{ ...value, name: second ? 'dict' : 'list' }]
    }
  }
  const isGivenOwn = args.some((arg) => evaluator.evaluate(arg).some(({ kind }) => (
    kind === 'class' || kind === 'instance' || kind === 'function'
  )))
  if (name === 'cast' && args[0]) return evaluator.instancesOf(args[0])
  if (name === 'deepcopy' && args[0]) return evaluator.evaluate(args[0])
  if (isGivenOwn && !/^(?:str|repr|len|int|float|bool|print|isinstance|hash|id)$/.test(name)) return [UNKNOWN_VALUE]
  return [{ kind: 'external', module, name, isResult: true }]
}
