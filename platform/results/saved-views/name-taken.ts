import { conflict } from '#platform/ground/failures/failure.ts'

export const nameTaken = (name: string) => conflict(`You already have a view named "${name}" on this page`)
