# usage: faults.sh FOLDER COPIES: copies of Faults.java, each with another fault,
# and All, which runs them
set -e
mkdir -p "$1"
{
  echo 'public class All { public static void main(String[] none) {'
  for n in $(seq "$2"); do
    sed "s/Faults/Faults$n/g; s/WHEN = 0/WHEN = $n/" "$(dirname "$0")/Faults.java" > "$1/Faults$n.java"
    echo "Faults$n.all();"
  done
  echo '} }'
} > "$1/All.java"
