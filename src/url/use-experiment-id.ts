import { useParams } from 'react-router'

/** The id of the experiment in the URL; only for pages below `experiments/:id`. */
export const useExperimentId = () => useParams()['id'] ?? ''
