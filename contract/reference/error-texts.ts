/** The meaning of each error code, what to do about it, and an example message. */
export const errorTexts = {
  invalid_argument: ['The request is invalid. Change it before you send it again.', '`title` is required'],
  unauthenticated: ['The API key is missing, unknown, expired or revoked.', 'Send an API key as a bearer token'],
  permission_denied: ['The key does not have permission for this.', 'Only admins can see the balance'],
  not_found: ['It does not exist, or the key has no access to it.', 'No experiment with this id'],
  already_exists: [
    'The request conflicts with stored data: the name is taken, or the item changed since you read it.',
    'The report changed since you read it',
  ],
  failed_precondition: ['Something else must happen first; see the message.', 'The package is incomplete'],
  resource_exhausted: ['A limit was reached. Free resources, or wait and send the request again.', 'Not enough credit'],
  internal: [
    'The server failed. Its log contains the cause under the `requestId`.',
    'Something went wrong on the server',
  ],
  unavailable: [
    'A required service is not responding. Send the request again later.',
    'The database is not responding',
  ],
} as const
