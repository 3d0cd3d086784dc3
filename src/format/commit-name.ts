import type { RequestOrigin } from '#contract/request-origins.ts'

/** `0c1f3a9 of faster, pull request 17` */
export const commitName = ({ commit, branch, pullRequest }: RequestOrigin) =>
  `${commit.slice(0, 7)}${branch === undefined ? '' : ` of ${branch}`}${pullRequest === undefined ? '' : `, pull request ${pullRequest}`}`
