import { isUuidText } from '#platform/ground/database/is-uuid.ts'
import { notFound } from '#platform/ground/failures/failure.ts'

const failure = () => notFound('There is no such key in this organization')

/** The same refusal for a key that does not exist, one of another person and one of another organization. */
export const noSuchKey = {
  failure,
  unlessUuid(id: string) {
    if (!isUuidText(id)) throw failure()
    return id
  },
}
