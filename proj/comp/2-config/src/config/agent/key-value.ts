import { readEnvFile } from './env-file.js'

/**
 * A key of the user's: a variable of the environment, else of `.env` in the user's directory.
 *
 * @throws HermesError `INVALID_POLICY` where that file cannot be read
 */
export function keyValue(name: string): string | undefined {
  const value = process.env[name] ?? ''
  return value === '' ? readEnvFile().values[name] || undefined : value
}
