import { cutThroughAll } from './crash-points.ts';

cutThroughAll('specification');
