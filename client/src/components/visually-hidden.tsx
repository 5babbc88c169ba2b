/** Words for screen readers only: Mantine's part together with its style sheet. */
import '@mantine/core/styles/VisuallyHidden.css';

export { VisuallyHidden } from '@mantine/core';
