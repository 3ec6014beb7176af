import type { AnyVerb } from '../../../0-contracts/src/index.js'
import { argsJsonSchema, type JsonSchema } from './json-schema.js'
import { outputSchema } from './tool-definitions.js'
import { camelCase } from './verb-result.js'

/** A property of a type; one line of IDL. */
interface Property {
  name: string
  type: string
  description?: string | undefined
}

interface Type extends Omit<Property, 'type'> {
  properties: Property[]
}

/** Properties that every result may have; the base class is printed last. */
const RESULT_PROPERTIES: readonly Property[] = [
  { name: 'succeeded?', type: 'boolean' }, { name: 'errorMessage?', type: 'string' },
  { name: 'errorCode?', type: 'string' }, { name: 'hint?', type: 'string' }, { name: 'warnings?', type: 'string[]' },
]

/**
 * Renders arguments and result types of verbs in IDL: each root type is followed by the types it refers to, in order of
 * discovery, each once.
 */
export function renderIdl(verbs: readonly AnyVerb[]): string {
  const types = new Types()
  for (const verb of verbs) {
    const name = pascalCase(verb.name)
    types.addRoot(`${name}Args`, argsJsonSchema(verb), { description: verb.description })
    types.addRoot(`${name}Result`, outputSchema(verb), { rename: camelCase, more: RESULT_PROPERTIES })
  }
  return types.list.map(({ name, description, properties }) => {
    const lines = properties.map((property) => `${comment(property, '  ')}  ${property.name}: ${property.type}\n`)
    return `${comment({ description }, '')}type ${name}\n{\n${lines.join('')}}\n`
  }).join('')
}

/** `fs.exists` → `FsExists`, `write_file` → `WriteFile`. */
export function pascalCase(name: string): string {
  return name.split(/[^A-Za-z0-9]+/).map((part) => part.slice(0, 1).toUpperCase() + part.slice(1)).join('')
}

interface RootOptions {
  description?: string
  /** Renames properties. */
  rename?: (name: string) => string
  more?: readonly Property[]
}

/** Context of a type, from which its name is derived. */
interface Place {
  root: JsonSchema
  rename: (name: string) => string
  /** Name of a type without title. */
  name: string
  /** Schema that a `$ref` led to, which may be recursive. */
  target?: JsonSchema
}

class Types {
  readonly list: Type[] = []
  /** Definitions by name. */
  readonly #known = new Map<string, string>()
  /** Names by the schemas that `$ref`s lead to. */
  readonly #targets = new Map<JsonSchema, string>()

  addRoot(name: string, root: JsonSchema, { description, rename = (key) => key, more = [] }: RootOptions): void {
    const type = this.#add(root, { root, rename, name: this.#freeName(name, '') })
    type.description ??= description
    type.properties.push(...more)
  }

  #add(schema: JsonSchema, { root, rename, name }: Place): Type {
    const type: Type = { name, description: schema.description, properties: [] }
    this.list.push(type)
    for (const [key, property] of Object.entries(schema.properties ?? {})) {
      const required = schema.required?.includes(key) === true
      type.properties.push({
        name: required ? rename(key) : `${rename(key)}?`,
        // A property's description is not repeated for its type.
        type: this.#spec({ ...(required ? property : withoutNull(property)), description: '' }, {
          root, rename, name: name + pascalCase(key),
        }),
        description: property.description,
      })
    }
    return type
  }

  #spec(schema: JsonSchema, place: Place): string {
    if (schema.$ref !== undefined) {
      const target = place.root.$defs?.[schema.$ref.replace('#/$defs/', '')]
      if (target === undefined) return 'any'
      return this.#targets.get(target) ?? this.#spec(target, { ...place, target })
    }
    const options = schema.anyOf ?? schema.oneOf
    if (options) return [...new Set(options.map((option) => this.#spec(option, place)))].join(' | ')
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.type === 'array') return this.#list(schema.items ?? {}, place)
    if (schema.type === 'object') return this.#object(schema, place)
    return typeof schema.type === 'string' ? schema.type : schema.type?.join(' | ') ?? 'any'
  }

  #list(items: JsonSchema, place: Place): string {
    const name = place.name.endsWith('Items') ? place.name.slice(0, -1) : `${place.name}Item`
    const spec = this.#spec(items, { ...place, name })
    return spec.includes(' | ') ? `(${spec})[]` : `${spec}[]`
  }

  #object(schema: JsonSchema, place: Place): string {
    const { additionalProperties: values } = schema
    if (schema.properties === undefined) {
      return `{ [key: string]: ${typeof values === 'object' ? this.#spec(values, place) : 'any'} }`
    }
    const structure = JSON.stringify({ ...schema, description: '' })
    const title = schema.title ?? place.name
    if (this.#known.get(title) === structure) return title
    const name = this.#freeName(this.#known.has(title) ? place.name : title, structure)
    const { target, ...inside } = place
    if (target) this.#targets.set(target, name)
    this.#add(schema, { ...inside, name })
    return name
  }

  #freeName(wanted: string, structure: string): string {
    let name = wanted
    for (let number = 2; this.#known.has(name); number++) name = `${wanted}${number}`
    this.#known.set(name, structure)
    return name
  }
}

/** Removes `null` from an optional property, since `?` covers both. */
function withoutNull(schema: JsonSchema): JsonSchema {
  return schema.anyOf ? { ...schema, anyOf: schema.anyOf.filter(({ type }) => type !== 'null') } : schema
}

function comment({ description }: Pick<Property, 'description'>, indent: string): string {
  const line = description?.replace(/\s*[\r\n]+\s*/g, ' ').trim() ?? ''
  return line === '' ? '' : `${indent}// ${line}\n`
}
