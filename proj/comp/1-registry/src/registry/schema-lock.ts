import type { AnyVerb } from '../../../0-contracts/src/index.js'
import { argsJsonSchema, resultJsonSchema, withoutDialect, type JsonSchema } from './json-schema.js'
import { schemaChanges } from './schema-change.js'

/** What was promised of a verb: version and schemas, without descriptions. */
export interface LockedVerb {
  version: string
  arguments: JsonSchema
  result: JsonSchema
}

export type SchemaLock = Record<string, LockedVerb>

/** The present promises of the verbs. */
export function lockSchemas(verbs: readonly AnyVerb[]): SchemaLock {
  return Object.fromEntries(verbs.map((verb) => [verb.name, {
    version: verb.version,
    arguments: withoutWords(argsJsonSchema(verb)),
    result: withoutWords(resultJsonSchema(verb)),
  }]))
}

/**
 * Verbs that changed more than their version shows: a breaking change needs a new major version, any other at least a
 * new minor one. One line each; a new verb may have any version.
 */
export function lockViolations(lock: SchemaLock, now: SchemaLock): string[] {
  return Object.entries(lock).flatMap(([name, before]) => {
    const after = Object.hasOwn(now, name) ? now[name] : undefined
    if (!after) return [`${name}: the verb is gone; if that is meant, take it out of the lock by hand`]
    return verbViolations(name, before, after)
  })
}

function verbViolations(name: string, before: LockedVerb, after: LockedVerb): string[] {
  const changes = (['arguments', 'result'] as const).flatMap((side) => (
    schemaChanges(before[side], after[side], side).map(({ place, what, breaking }) => (
      { text: `${side}${place === '' ? '' : ` ${place}`}: ${what}`, breaking }
    ))
  ))
  const [oldMajor, oldMinor, oldPatch] = parts(before.version)
  const [major, minor, patch] = parts(after.version)
  if (major > oldMajor) return []
  const isBack = major < oldMajor || minor < oldMinor || (minor === oldMinor && patch < oldPatch)
  if (isBack) return [`${name}: version ${after.version} is older than the locked ${before.version}`]
  return changes.flatMap(({ text, breaking }) => {
    if (breaking) return [`${name}: ${text} is a breaking change: version ${oldMajor + 1}.0.0 or later`]
    return minor > oldMinor ? [] : [`${name}: ${text}: version ${oldMajor}.${oldMinor + 1}.0 or later`]
  })
}

function parts(version: string): [major: number, minor: number, patch: number] {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return [major, minor, patch]
}

/** The schema without descriptions, which may change at any time. */
function withoutWords(schema: JsonSchema): JsonSchema {
  return strip(withoutDialect(schema)) as JsonSchema
}

function strip(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strip)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword === 'description' || keyword === 'title') return []
    // Keys in these are names of properties or types, not keywords.
    if (keyword !== 'properties' && keyword !== '$defs') {
      return [[keyword, keyword === 'default' ? value : strip(value)]]
    }
    return [[keyword, Object.fromEntries(Object.entries(value as object).map(([name, each]) => [name, strip(each)]))]]
  }))
}
