import { configure } from '@testing-library/react';

// What is waited for comes or does not; how soon depends on the machine.
configure({ asyncUtilTimeout: 10_000 });
