import classes from './PeopleHere.module.css'
import type { PlacedPerson } from './place-people.ts'

/** Who else has the report open. */
export function PeopleHere({ people }: { people: readonly PlacedPerson[] }) {
  if (people.length === 0) return null
  return (
    <ul className={classes.people} aria-label="People viewing this report">
      {people.slice(0, most).map(({ person, place }) => (
        <li key={person.id} className={classes.person}>
          {person.name} {place ? 'is editing' : 'is reading'}
        </li>
      ))}
      {people.length > most && <li className={classes.person}>and {people.length - most} more</li>}
    </ul>
  )
}

/** How many people are named above the text. */
const most = 4

/** The initials of those whose cursor is in a paragraph. */
export const InitialsHere = ({ people }: { people: readonly PlacedPerson[] }) =>
  people.slice(0, 2).map(({ person }) => (
    <span key={person.id} className={classes.name} title={`${person.name} is editing this paragraph`}>
      {initialsOf(person.name)}
    </span>
  ))

const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
