export {
  isLeftBehind, ownedNow, placePlaceholders, removeOldPlaceholders, standingPlaceholders,
} from './placeholders.js'
