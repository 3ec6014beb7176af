export { argsSchema, described, valueSchema } from './args-schema.js'
