export { argsSchema, described, valueSchema } from './args-schema.js'
export type { GivenSchema } from './args-schema.js'
