import type { GenericSchema } from 'valibot'

/** The parts of valibot's schemas that walks over them read; a schema in a pipe has them too. */
export interface SchemaShape {
  type: string
  /** Of objects. */
  entries?: Record<string, SchemaShape>
  /** Of optional and nullable schemas. */
  wrapped?: SchemaShape
  default?: unknown
  literal?: unknown
  /** Of arrays. */
  item?: SchemaShape
  /** Of records. */
  value?: SchemaShape
  /** Of lazy schemas. */
  getter?: (input: unknown) => SchemaShape
  /** Values of a picklist; schemas of a union. */
  options?: readonly unknown[]
  pipe?: readonly ActionShape[]
}

export interface ActionShape {
  type: string
  description?: string
  requirement?: unknown
  metadata?: Record<string, unknown>
}

export function shapeOf(schema: GenericSchema): SchemaShape {
  return schema as unknown as SchemaShape
}
