module m { exports p; }
