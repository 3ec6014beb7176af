import { HermesError, type UserInterface } from '../../contracts/src/index.js'

/** @throws HermesError `NO_USER` */
export function requireUser(verb: string, ui: UserInterface | undefined, instead: string): UserInterface {
  if (ui) return ui
  throw new HermesError('NO_USER', `${verb}: there is no user to ask`, { hint: instead })
}
