import { cutThroughAll } from './crash-points.ts';

cutThroughAll('feed');
